package ollama_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
	"agentchat/backend/provider/ollama"
	"agentchat/backend/testing/realollama"
)

// A model that is in memory reads a request ahead, and the request itself then finds it read; one that is not stays where it is. A
// reading that is broken off costs the next request neither the model's place nor what had been read by then.
func realRead(t *testing.T, server *realollama.Server, p *ollama.Provider) {
	var long strings.Builder
	for i := range 140 {
		fmt.Fprintf(&long, "%d번째 줄이에요.\n", i)
	}
	l := realLetter(provider.RolePlanner, "안녕?")
	l.Schema = nil
	if err := p.Unload(t.Context(), "scripted"); err != nil {
		t.Fatal(err)
	}
	loads := server.Loads(t)
	if reply, ok, err := p.Read(t.Context(), l); err != nil || ok || reply.TokensIn != 0 || server.Loads(t) != loads {
		t.Errorf("a model that is not in memory: %+v, %v, %v", reply, ok, err)
	}
	if err := p.Load(t.Context(), "scripted"); err != nil {
		t.Fatal(err)
	}
	loads = server.Loads(t)
	read, ok, err := p.Read(t.Context(), l)
	if err != nil || !ok || read.TokensIn == 0 || read.TokensOut > 1 {
		t.Fatalf("%+v, %v, %v", read, ok, err)
	}
	reply, err := p.Chat(t.Context(), l, nil)
	if err != nil || reply.TokensIn-reply.TokensCached > 2 {
		t.Errorf("%d of %d tokens were read twice, %v", reply.TokensIn-reply.TokensCached, reply.TokensIn, err)
	}
	l.Summary = long.String()
	slow, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, ok, err = p.Read(slow, l)
	left := time.Now()
	if code := apperr.CodeOf(err); code != apperr.Canceled && code != apperr.ModelTimeout && !ok {
		t.Errorf("the reading ended with %v", err)
	}
	t.Logf("it had read all before it was stopped: %t", ok)
	reply, err = p.Chat(t.Context(), l, nil)
	if err != nil || server.Loads(t) > loads+1 { // a place that the stop took is found again by loading once
		t.Errorf("behind a reading that was stopped: %v, loaded %d times", err, server.Loads(t)-loads)
	}
	t.Logf("behind a reading that was stopped: %d tokens, %d of them known; the first piece came %v after the stop, %v after the request",
		reply.TokensIn, reply.TokensCached, time.Since(left)-reply.Elapsed+reply.FirstToken, reply.FirstToken)
}
