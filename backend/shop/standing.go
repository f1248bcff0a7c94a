package shop

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/standing"
	"agentchat/backend/toolbox"
	"agentchat/backend/undolog"
	"agentchat/backend/watch"
)

// StandingOrder is a standing order as people read it. Times are RFC 3339 in UTC, empty when there is none.
type StandingOrder struct {
	ID     string `json:"id"`
	Chat   string `json:"chat"`
	What   string `json:"what"`                             // what is done, in the customer's words
	When   string `json:"when"`                             // when, as a sentence
	Rule   string `json:"rule"`                             // and as RFC 5545 writes it
	State  string `json:"state" ts_type:"standing.State"`   // active, paused, ended
	Missed string `json:"missed" ts_type:"standing.Missed"` // what becomes of moments that passed unseen: once, tell
	Next   string `json:"next,omitempty"`
	Last   string `json:"last,omitempty"`
	// On says of one that waits for something other than moments for what: file, ticket. Problem says why that cannot happen now, and
	// Resting until when it rests, having run too often.
	On      string `json:"on,omitempty" ts_type:"standing.Cause"`
	Problem string `json:"problem,omitempty"`
	Resting string `json:"resting,omitempty"`
	// Upcoming are the next moments, Runs what became of the last ones, the newest first.
	Upcoming []string      `json:"upcoming"`
	Runs     []StandingRun `json:"runs"`
}

// StandingRun is what became of one moment: it was run, missed, skipped, or left out because the run before was busy. Missed says how
// many moments before it passed unseen. State is that of a run (running, waiting, done, failed), Text what came of it, Turn the message
// it began with, in Chat, and Jobs its tickets.
type StandingRun struct {
	Due     string   `json:"due"`
	Outcome string   `json:"outcome" ts_type:"standing.Outcome"`
	Missed  int      `json:"missed,omitempty"`
	Because string   `json:"because,omitempty"` // what set it off, if not a moment
	State   string   `json:"state,omitempty" ts_type:"standing.RunState"`
	Text    string   `json:"text,omitempty"`
	Turn    string   `json:"turn,omitempty"`
	Jobs    []string `json:"jobs"`
}

// openStanding makes the book of standing orders; start begins to run them.
func (s *Shop) openStanding(now func() time.Time) {
	s.watch = watch.New(watch.Deps{
		Look: func(ctx context.Context, folder string, late bool) ([]string, bool, error) {
			return s.standing.Look(ctx, folder, late)
		},
		Log: s.Log.Component("watch"),
	})
	s.standing = standing.New(standing.Deps{
		Folders: watchedFolders{s.files.book}, Follow: s.watch.Follow, Ticket: s.ticketCalled,
		Store: noticing{s.store, s.presence}, Publisher: s.Bus, Now: now, NewID: newID, Log: s.Log.Component("standing"),
		Run: func(ctx context.Context, c standing.Claim) (bool, error) {
			noticeLate(s.presence, c)
			return s.manager.RunStanding(ctx, c)
		},
		Asks: func(tool string) bool {
			spec, err := s.box.Spec(tool)
			return err != nil || spec.Confirm != toolbox.ConfirmNever
		},
	})
}

// changes tells whether a tool changes anything; one that is gone may have.
func (s *Shop) changes(tool string) bool {
	spec, err := s.box.Spec(tool)
	return err != nil || spec.Effect != toolbox.EffectRead
}

// StandingOrders gives all standing orders with what became of their last moments, the oldest first.
func (s *Shop) StandingOrders(ctx context.Context) ([]StandingOrder, error) {
	list, err := s.standing.List(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]StandingOrder, len(list))
	for i, o := range list {
		if views[i], err = s.standingView(ctx, o); err != nil {
			return nil, err
		}
	}
	return views, nil
}

// standingView draws an order in the language of the window.
func (s *Shop) standingView(ctx context.Context, o standing.Order) (StandingOrder, error) {
	v := StandingOrder{
		ID: o.ID, Chat: o.Chat, What: o.What, When: o.Say(s.lang()), Rule: o.Rule, State: string(o.State), Missed: string(o.Missed),
		Next: stampOf(o.Next), Last: stampOf(o.Last), Upcoming: []string{}, Runs: []StandingRun{},
	}
	if t := o.Trigger; t != nil {
		v.On = string(t.On)
		if t.On == standing.OnFile {
			if _, _, err := (watchedFolders{s.files.book}).Find(ctx, t.Folder); err != nil {
				v.Problem = apperr.From(err).Text(s.lang())
			}
		}
		if o.Held.After(s.now()) {
			v.Resting = stampOf(o.Held)
		}
	}
	if o.State == standing.Active {
		moments, err := s.standing.Moments(o, standing.Upcoming)
		if err != nil {
			return v, err
		}
		for _, at := range moments {
			v.Upcoming = append(v.Upcoming, stampOf(at))
		}
	}
	runs, err := s.standing.Runs(ctx, o.ID)
	for _, r := range runs {
		jobs := append([]string{}, r.Jobs...)
		v.Runs = append(v.Runs, StandingRun{Due: stampOf(r.Due), Outcome: string(r.Outcome), Missed: r.Missed, Because: r.Because, State: string(r.State), Text: r.Text, Turn: r.Turn, Jobs: jobs})
	}
	return v, err
}

func (s *Shop) lang() bilingual.Lang { return s.Config.Get().Lang }

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// DoStanding does something with a standing order: pause, resume, now (run it besides), skip (its next moment), delete. It gives the order
// as it is then; of one that is deleted what it was. Errors: not_found, order_going, order_over, bad_command.
func (s *Shop) DoStanding(ctx context.Context, id string, verb standing.Verb) (StandingOrder, error) {
	o, err := s.standing.Do(ctx, standing.Command{Order: id, Verb: verb})
	if err != nil {
		return StandingOrder{}, err
	}
	return s.standingView(ctx, o)
}

// RemoveStanding deletes a standing order, and gives what TakeBack takes back. Errors: those of DoStanding.
func (s *Shop) RemoveStanding(ctx context.Context, id string) (use string, err error) {
	u := undolog.Use{ID: "hand:" + newID()}
	_, err = s.standing.Do(undolog.Under(ctx, u), standing.Command{Order: id, Verb: standing.Delete})
	return u.ID, err
}

// ChangeStanding changes when a standing order runs, as far as words say it anew (at 7, on weekdays, until December 3), or with missed
// what becomes of moments that pass unseen. Errors: not_found, invalid_args.
func (s *Shop) ChangeStanding(ctx context.Context, id, when, missed string) (StandingOrder, error) {
	var o standing.Order
	var err error
	if missed != "" {
		o, err = s.standing.SetMissed(ctx, id, standing.Missed(missed))
	}
	if err == nil && when != "" {
		o, err = s.standing.AmendSaid(ctx, id, when)
	}
	if err == nil && o.ID == "" {
		o, err = s.standing.Get(ctx, id)
	}
	if err != nil {
		return StandingOrder{}, err
	}
	return s.standingView(ctx, o)
}
