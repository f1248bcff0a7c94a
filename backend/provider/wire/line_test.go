package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"agentchat/backend/apperr"
	"agentchat/backend/provider"
)

func line(t Timeouts) *Line { return &Line{Name: "fake", Timeouts: func() Timeouts { return t }} }

var patient = Timeouts{time.Minute, time.Minute, time.Minute}

func answerWell(_ context.Context, a *Answer) error {
	if err := a.Text("네."); err != nil {
		return err
	}
	a.Done("stop")
	return nil
}

func TestACallIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, began := 0, time.Now()
		reply, err := line(patient).Ask(t.Context(), Question{Card: Card{Retries: 3}}, func(ctx context.Context, a *Answer) error {
			if tries++; tries < 4 {
				return io.ErrUnexpectedEOF
			}
			return answerWell(ctx, a)
		})
		if err != nil || reply.Text != "네." || tries != 4 {
			t.Errorf("%+v, %v after %d tries", reply, err, tries)
		}
		if took := time.Since(began); took != (250+500+1000)*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

func TestNoSecondTry(t *testing.T) {
	refused := func(f Failure) func(context.Context, *Answer) error {
		return func(context.Context, *Answer) error { return &f }
	}
	base := Failure{Err: apperr.New(apperr.ProviderRefused), Fault: true}
	long := base
	long.Retry = true
	for name, attempt := range map[string]func(context.Context, *Answer) error{
		"not retryable": refused(base),
		"after the first piece": func(_ context.Context, a *Answer) error {
			_ = a.Text("음")
			return io.ErrUnexpectedEOF
		},
		"asked to wait too long": func(ctx context.Context, _ *Answer) error {
			noteOf(ctx).header(map[string][]string{"Retry-After": {"3600"}})
			return &long
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries, began := 0, time.Now()
				_, err := line(patient).Ask(t.Context(), Question{Card: Card{Retries: 3}}, func(ctx context.Context, a *Answer) error {
					tries++
					return attempt(ctx, a)
				})
				if err == nil || tries != 1 || time.Since(began) != 0 {
					t.Errorf("%v after %d tries and %v", err, tries, time.Since(began))
				}
			})
		})
	}
}

func TestDeadlines(t *testing.T) {
	limits := Timeouts{Connect: time.Second, First: 10 * time.Second, Gap: 3 * time.Second}
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for _, c := range []struct {
		name    string
		card    Card
		attempt func(context.Context, *Answer) error
		want    apperr.Code
		after   time.Duration
	}{
		{name: "connect", want: apperr.ProviderUnreachable, after: time.Second, attempt: func(ctx context.Context, _ *Answer) error { return hang(ctx) }},
		{name: "first", want: apperr.ModelTimeout, after: 10 * time.Second, attempt: func(ctx context.Context, a *Answer) error {
			a.watch.connected()
			return hang(ctx)
		}},
		{name: "gap", want: apperr.ModelTimeout, after: 3 * time.Second, attempt: func(ctx context.Context, a *Answer) error {
			a.watch.connected()
			_ = a.Text("음")
			return hang(ctx)
		}},
		{name: "whole", card: Card{Timeout: 7 * time.Second}, want: apperr.ModelTimeout, after: 7 * time.Second, attempt: func(ctx context.Context, a *Answer) error {
			for i := 0; ctx.Err() == nil; i++ {
				_ = a.Text(fmt.Sprintf("%d번째 ", i))
				select {
				case <-time.After(time.Second):
				case <-ctx.Done():
				}
			}
			return ctx.Err()
		}},
		{name: "a finished answer waits for nobody", want: "", after: tailPatience, attempt: func(ctx context.Context, a *Answer) error {
			_ = answerWell(ctx, a)
			return hang(ctx)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				l := line(limits)
				_, err := l.Ask(t.Context(), Question{Card: c.card}, c.attempt)
				if apperr.CodeOf(err) != c.want || time.Since(began) != c.after {
					t.Errorf("%v after %v", err, time.Since(began))
				}
				if l.Waiting() != 0 {
					t.Errorf("%d still wait", l.Waiting())
				}
			})
		})
	}
}

func TestTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := line(patient)
		calls := 0
		ask := func(ctx context.Context, attempt func(context.Context, *Answer) error) apperr.Code {
			_, err := l.Ask(ctx, Question{}, func(ctx context.Context, a *Answer) error { calls++; return attempt(ctx, a) })
			return apperr.CodeOf(err)
		}
		down := func(context.Context, *Answer) error { return Unreachable(errors.New("down"), "fake") }
		bad := func(context.Context, *Answer) error { return Bad(errors.New("nonsense")) }
		state := func(want string) {
			t.Helper()
			if got, _ := l.Breaker.State(); got != want {
				t.Errorf("the breaker is %q, want %q", got, want)
			}
		}
		for range 5 { // nonsense says nothing against the service
			ask(t.Context(), down)
			ask(t.Context(), down)
			ask(t.Context(), bad)
		}
		state("")
		for range 3 {
			ask(t.Context(), down)
		}
		state("open")
		calls = 0
		if code := ask(t.Context(), answerWell); code != apperr.ProviderUnreachable || calls != 0 {
			t.Errorf("an open breaker let %d calls through: %s", calls, code)
		}
		<-time.After(firstPause)
		state("half_open")
		canceled, cancel := context.WithCancel(t.Context())
		ask(canceled, func(ctx context.Context, _ *Answer) error { cancel(); return ctx.Err() })
		state("half_open") // a caller who gives up decides nothing
		ask(t.Context(), down)
		state("open")
		<-time.After(firstPause)
		state("open") // the second pause is longer
		l.Breaker.Wake()
		state("half_open")
		if code := ask(t.Context(), func(ctx context.Context, a *Answer) error {
			if code := ask(ctx, answerWell); code != apperr.ProviderUnreachable {
				t.Errorf("a second call went out while one tries: %s", code)
			}
			return answerWell(ctx, a)
		}); code != "" {
			t.Error(code)
		}
		state("")
	})
}

// Calls that went out before the breaker opened say nothing about the one that tries the service, however they end.
func TestOldCallsLeaveTheTrialAlone(t *testing.T) {
	for name, end := range map[string]func(ctx context.Context, cancel func()) error{
		"given up": func(ctx context.Context, cancel func()) error { cancel(); return ctx.Err() },
		"failed":   func(context.Context, func()) error { return Unreachable(errors.New("down"), "fake") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := line(patient)
				ask := func(ctx context.Context, attempt func(context.Context, *Answer) error) error {
					_, err := l.Ask(ctx, Question{}, attempt)
					return err
				}
				finish, over := make(chan struct{}), make(chan struct{})
				old, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() {
					defer close(over)
					_ = ask(old, func(ctx context.Context, _ *Answer) error { <-finish; return end(ctx, cancel) })
				}()
				synctest.Wait()
				for range breakAfter {
					_ = ask(t.Context(), func(context.Context, *Answer) error { return Unreachable(errors.New("down"), "fake") })
				}
				<-time.After(firstPause)
				err := ask(t.Context(), func(ctx context.Context, a *Answer) error {
					close(finish)
					<-over
					if state, _ := l.Breaker.State(); state != "half_open" {
						t.Errorf("while a call tries the service the breaker is %q", state)
					}
					if err := ask(ctx, answerWell); apperr.CodeOf(err) != apperr.ProviderUnreachable {
						t.Errorf("a second call went out while one tries: %v", err)
					}
					return answerWell(ctx, a)
				})
				if err != nil {
					t.Fatal(err)
				}
				if state, _ := l.Breaker.State(); state != "" {
					t.Errorf("the service answered, the breaker is %q", state)
				}
			})
		})
	}
}

func TestCanceledBeforeAndDuring(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := line(patient).Ask(ctx, Question{}, answerWell); apperr.CodeOf(err) != apperr.Canceled {
		t.Errorf("ended with %v", err)
	}
	synctest.Test(t, func(t *testing.T) { // while it waits to try again
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := line(patient).Ask(ctx, Question{Card: Card{Retries: 3}}, func(context.Context, *Answer) error { return io.EOF })
		if apperr.CodeOf(err) != apperr.ModelTimeout || time.Since(began) != 100*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestTooLongAnAnswer(t *testing.T) {
	for name, write := range map[string]func(*Answer, string) error{"text": (*Answer).Text, "thinking": (*Answer).Thinking} {
		t.Run(name, func(t *testing.T) {
			_, err := line(patient).Ask(t.Context(), Question{}, func(_ context.Context, a *Answer) error {
				for i := range 1 << 20 {
					if err := write(a, fmt.Sprintf("%d, ", i)); err != nil {
						return err
					}
				}
				return nil
			})
			if apperr.CodeOf(err) != apperr.ModelBadOutput {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

func TestOverridesOfACard(t *testing.T) {
	for _, role := range []provider.Role{provider.RolePlanner, provider.RoleIntent, provider.RoleToolChooser, provider.RoleSolver, provider.RoleLibrarian, provider.RoleSummarizer, provider.RoleReporter, "new"} {
		if c := CardOf(nil, role); c.MaxTokens <= 0 || c.Timeout <= 0 || c.Retries != DefaultRetries {
			t.Errorf("%s: %+v", role, c)
		}
	}
	c := CardOf(func(_ provider.Role, c Card) Card { c.Model = "other"; return c }, provider.RolePlanner)
	if c.Model != "other" || c.MaxTokens != DefaultCard(provider.RolePlanner).MaxTokens {
		t.Errorf("%+v", c)
	}
}

func TestClip(t *testing.T) {
	if got := Clip(strings.Repeat("가\xff\n", 1000)); len(got) > 310 || strings.Contains(got, "\n") || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
}
