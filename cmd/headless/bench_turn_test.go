package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"agentchat/backend/config"
	"agentchat/backend/event"
	"agentchat/backend/provider"
	"agentchat/backend/shop"
	"agentchat/backend/testing/fakemodel"
)

// BenchmarkTurnOverACall is what the shop adds to a call of the model: a whole turn, from the message to turn.done, every
// step committed, beside a bare call with the very same prompt to the very same server, which answers at once. They take
// turns, so that a busy machine is no fairer to one than to the other; the figures are medians.
func BenchmarkTurnOverACall(b *testing.B) {
	server, err := fakemodel.Start()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = server.Stop() })
	s := openShop(b, "--data", b.TempDir(), "--provider", "ollama", "--ollama-host", server.Addr, "--model", "shop", "--lang", "ko")
	reader := s.Bus.Subscribe()
	turn := func(n int) time.Duration {
		began := time.Now()
		chat := fmt.Sprint("chat", n) // a new one each time: the prompt stays the same
		if _, err := s.Say(b.Context(), chat, "안녕하세요, 오늘은 뭐가 좋을까요?", "", ""); err != nil {
			b.Fatal(err)
		}
		awaitTurn(b, reader, chat)
		return time.Since(began)
	}
	turn(0)
	reqs, err := s.Letters(b.Context(), "", "", 1)
	if err != nil || len(reqs) != 1 || reqs[0].Provider != "ollama" || reqs[0].Error != "" {
		b.Fatalf("%+v, %v", reqs, err)
	}
	body := bare(b, provider.Adapter{}.NormalizePrompt(reqs[0].Request))
	client := &http.Client{}
	call := func() time.Duration {
		began := time.Now()
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, "http://"+server.Addr+"/api/chat", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		readAll(b, client, req)
		return time.Since(began)
	}
	call()
	var turns, calls []time.Duration
	n := 0
	for b.Loop() {
		n++
		turns, calls = append(turns, turn(n)), append(calls, call())
	}
	whole, alone := median(turns), median(calls)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(whole.Microseconds()), "turn-µs")
	b.ReportMetric(float64(alone.Microseconds()), "call-µs")
	b.ReportMetric(float64((whole - alone).Microseconds()), "extra-µs")
	b.ReportMetric(float64(whole)/float64(alone), "turn/call")
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// openShop opens a shop as the front does.
func openShop(b *testing.B, args ...string) *shop.Shop {
	b.Helper()
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	given := config.RegisterFlags(flags)
	if err := flags.Parse(args); err != nil {
		b.Fatal(err)
	}
	s, err := shop.Open(b.Context(), shop.Options{Config: config.Options{Flags: given()}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

func awaitTurn(b *testing.B, reader *event.Reader, chat string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	for {
		batch, err := reader.Next(ctx, 0)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range batch {
			if e.Kind == event.KindTurnDone && e.Chat == chat {
				return
			}
		}
	}
}

// bare is the body of a call as anybody would write it.
func bare(b *testing.B, p provider.Prompt) []byte {
	b.Helper()
	messages := []map[string]string{{"role": "system", "content": p.System}}
	for _, m := range p.Messages {
		messages = append(messages, map[string]string{"role": m.Role, "content": m.Text})
	}
	body, err := json.Marshal(map[string]any{"model": "shop", "messages": messages, "format": p.Format, "stream": true, "options": map[string]any{"num_ctx": 8192}})
	if err != nil {
		b.Fatal(err)
	}
	return body
}
