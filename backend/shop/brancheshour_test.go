package shop_test

import (
	"sync/atomic"
	"testing"
	"time"

	"agentchat/backend/branch"
	"agentchat/backend/shop"
	"agentchat/backend/toolbox"
)

// An hour without each other: a ticket that was under way over there ends there and is heard of after it, and what was asked for meanwhile is done then.
func TestAnHourApart(t *testing.T) {
	var passed atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
	p := pairWith(t, newCounter(toolbox.EffectRead, 2), func(o *shop.Options) { o.Now = clock })
	begun, end := make(chan struct{}), make(chan struct{})
	p.stamp.gate = func(word string) {
		if word == "하던일" {
			close(begun)
			<-end
		}
	}
	first := p.near.uses(p.key(), map[string]any{"word": "하던일"})
	<-begun
	p.wire.set(silent)
	p.stands(branch.Away)
	cut := clock()
	second := p.near.uses(p.key(), map[string]any{"word": "새일"})
	passed.Add(int64(time.Hour))
	close(end)
	p.back()
	v, err := p.near.Branches(t.Context())
	if err != nil || v.Branches[0].State != branch.Away || v.Branches[0].Since.After(cut) {
		t.Errorf("away since %v, %v", v.Branches[0].Since, err)
	}
	if v, err = p.far.Branches(t.Context()); err != nil || v.Branches[0].State != branch.Away || v.Branches[0].Since.After(cut) {
		t.Errorf("over there: %+v, %v", v.Branches[0], err)
	}
	p.wire.set(passing)
	for word, id := range map[string]string{"하던일": first, "새일": second} {
		p.near.state(id, "succeeded")
		if n := p.stamp.ran(word); n != 1 {
			t.Errorf("%s ran %d times", word, n)
		}
	}
	p.stands(branch.Here)
	p.oneStory()
}
