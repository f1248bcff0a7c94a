package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/policy"
	"agentchat/backend/toolbox"
)

// script is what a customer wants from the shop, from beginning to end.
type script struct {
	name  string
	flags []string
	set   map[string]any // settings before the first word
	says  []line
	// before is told first, a day earlier, and nobody is killed in it; days is how far the clock is ahead after it.
	before []line
	days   int
	// eve is done before that, and back is how many days the clock is set back at each kill.
	eve  func(p *process) error
	back int
	// choose answers a question; "" leaves it open.
	choose func(a event.AskOpened) string
	// happened looks whether a call that is in doubt took place, where it is not the witness who knows.
	happened func(home string, a event.AskOpened) bool
	// always begins the names of moments of which one is among the sample, whatever else is.
	always string
	// house: the models are those of a server that outlives the program.
	house bool
	// counter: the jobs are the service counter's, whose turns tell how they ended.
	counter bool
	// scope is how far an approval reaches, and asks how many steps may ask for one; 0: they are not counted.
	scope toolbox.Scope
	asks  int
	// stamps are the numbers that the witness must have seen, each as often as it stands here.
	stamps []string
	// book are the lines that must stand in the guest book, once each.
	book []string
	// more is how many more messages of the shop than of the customer there may be: some work tells of its end by itself.
	more int
	// between is done after each kill, before the program starts again.
	between func(c *customer) error
	// first is done before the first word, and again after each start: it must see for itself what is done already.
	first func(p *process) error
	// last waits for what happens without a word of the customer.
	last func(p *process) error
	// check looks at the end and tells what is wrong, if anything.
	check func(p *process, end snapshot) []string
}

// line is one thing a customer says. rest: only when the shop has come to rest. full: the disk is full from that moment on, until
// the shop has come to rest or is killed.
type line struct {
	text string
	rest bool
	full moment
}

// snapshot is the part of the shop's state that matters here.
type snapshot struct {
	Jobs []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		State string `json:"state"`
	} `json:"jobs"`
	Asks      []event.AskOpened `json:"asks"`
	Inventory []struct {
		Tool    string         `json:"tool"`
		Holders []event.Holder `json:"holders"`
		Waiting []any          `json:"waiting"`
	} `json:"inventory"`
	Workers []event.WorkerState `json:"workers"`
}

// states lists the states of all jobs, in the order of their tickets.
func (s snapshot) states() (list []string) {
	for _, j := range s.Jobs {
		list = append(list, j.State)
	}
	return list
}

// customer plays a script on one run of the program after the other.
type customer struct {
	script
	witness  string          // file
	home     string          // the folder around the data folder
	approved map[string]bool // arguments of "witness" that the customer approved
	asked    map[string]bool // steps that asked for an approval
}

// play does what is left of the script. errGone when the program ends under it.
func (c *customer) play(p *process) error {
	if len(c.set) > 0 {
		if err := p.do("config", map[string]any{"set": c.set}, nil); err != nil {
			return err
		}
	}
	if c.first != nil {
		if err := c.first(p); err != nil {
			return err
		}
	}
	for {
		msgs, err := history(p)
		if err != nil {
			return err
		}
		n := len(spoken(msgs, event.RoleCustomer)) // also what was taken right before a kill, without an answer
		if n >= len(c.says) {
			if err := c.settle(p); err != nil || c.last == nil {
				return err
			}
			if err := c.last(p); err != nil {
				return err
			}
			return c.settle(p)
		}
		if c.says[n].rest {
			if err := c.settle(p); err != nil {
				return err
			}
		}
		if err := p.do("say", map[string]any{"text": c.says[n].text}, nil); err != nil {
			return err
		}
		if when := c.says[n].full; when != never {
			if err := c.fill(p, when); err != nil {
				return err
			}
		}
	}
}

func history(p *process) ([]event.ChatMessage, error) {
	var h struct {
		Messages []event.ChatMessage `json:"messages"`
	}
	err := p.do("history", map[string]any{"limit": 1000}, &h)
	return h.Messages, err
}

// spoken is what was said by one side; a run of a standing order is nobody's word.
func spoken(msgs []event.ChatMessage, role event.Role) []event.ChatMessage {
	return slices.DeleteFunc(slices.Clone(msgs), func(m event.ChatMessage) bool {
		return m.Role != role || role == event.RoleCustomer && m.Standing != nil
	})
}

// settle answers what is asked until the shop has come to rest and nothing is asked any more.
func (c *customer) settle(p *process) error {
	for range 100 {
		if err := p.rest(); err != nil {
			return err
		}
		var s snapshot
		if err := p.do("snapshot", nil, &s); err != nil {
			return err
		}
		answered := false
		for _, a := range s.Asks {
			choice, err := c.decide(p, a)
			if err != nil {
				return err
			}
			if choice == "" {
				continue
			}
			answered = true
			fields := map[string]any{"ask": a.ID, "choice": choice, "digest": a.Digest}
			if slices.ContainsFunc(a.Scopes, func(s event.AskScope) bool { return s.Scope == string(c.scope) }) {
				fields["scope"] = c.scope
			}
			if err := p.do("answer", fields, nil); err != nil && !refused(err, "stale_answer") {
				if refused(err, string(apperr.StorageFull)) {
					return nil // it is asked again when there is room
				}
				return err
			}
		}
		if !answered {
			return nil
		}
	}
	return fmt.Errorf("the shop asks without end")
}

// decide answers a question. In doubt about the witness, the customer looks whether it saw more than is known to be done.
func (c *customer) decide(p *process, a event.AskOpened) (choice string, err error) {
	switch a.Kind {
	case "recovery":
		happened := false
		if c.happened != nil {
			happened = c.happened(c.home, a)
		} else {
			done, err := audit(p)
			if err != nil {
				return "", err
			}
			happened = times(c.seen())[number(a)] > done.times("witness", number(a))
		}
		if happened {
			return "happened", nil
		}
		return "run_again", nil
	case "approval":
		c.approved[number(a)], c.asked[a.TodoID] = true, true
		return "approve", nil
	}
	if c.choose == nil {
		return "", nil
	}
	return c.choose(a), nil
}

// audits are the entries of the audit log.
type audits []policy.Entry

func audit(p *process) (audits, error) {
	var log struct {
		Entries audits `json:"entries"`
	}
	return log.Entries, p.do("audit", map[string]any{"limit": 1000}, &log)
}

// times counts how often a call is known to be done.
func (l audits) times(tool, n string) (count int) {
	for _, e := range l {
		if e.Outcome == policy.AuditDone && e.Tool == tool && string(e.Args) == `{"n":`+n+`}` {
			count++
		}
	}
	return count
}

// number is the argument of a call of the witness.
func number(a event.AskOpened) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(a.Args), `{"n":`), "}")
}

// seen is what the witness saw, in order.
func (c *customer) seen() []string {
	text, err := os.ReadFile(c.witness)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// verdict looks at the end of the script and lists what is wrong.
func (c *customer) verdict(p *process) (wrong []string, err error) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	msgs, err := history(p)
	if err != nil {
		return nil, err
	}
	if c.asks > 0 && len(c.asked) > c.asks {
		say("lost: %d steps asked for an approval, not %d: what was agreed to is gone", len(c.asked), c.asks)
	} else if len(c.asked) < c.asks {
		say("unapproved: %d steps asked for an approval, not %d: an agreement went too far", len(c.asked), c.asks)
	}
	for i, m := range spoken(msgs, event.RoleCustomer) {
		if i >= len(c.says) || m.Text != c.says[i].text {
			say("doubled: the customer's message %d is %q", i, m.Text)
		}
	}
	if n := len(spoken(msgs, event.RoleShop)) - len(c.says); n < 0 {
		say("lost: %d messages have no answer", -n)
	} else if n > c.more {
		say("doubled: %d answers too many", n-c.more)
	}
	var s snapshot
	if err := p.do("snapshot", nil, &s); err != nil {
		return nil, err
	}
	reports := map[string]int{}
	for _, m := range spoken(msgs, event.RoleJob) {
		reports[m.JobID]++
	}
	for _, j := range s.Jobs {
		switch {
		case j.State != "succeeded" && j.State != "canceled" && j.State != "failed":
			say("stuck: %s is %s", j.Title, j.State)
		case reports[j.ID] == 0 && c.counter: // the counter tells the outcome itself
		case reports[j.ID] == 0:
			say("lost: the report of %s", j.Title)
		case reports[j.ID] > 1:
			say("doubled: %d reports of %s", reports[j.ID], j.Title)
		}
	}
	if len(s.Asks) > 0 {
		say("stuck: %d questions stay open, the first: %s", len(s.Asks), s.Asks[0].Question)
	}
	for _, r := range s.Inventory {
		if len(r.Holders)+len(r.Waiting) > 0 {
			say("stuck: %s is out", r.Tool)
		}
	}
	for _, w := range s.Workers {
		if w.State == "running" {
			say("stuck: worker %d runs", w.Worker)
		}
	}
	wrong = append(wrong, c.stamped()...)
	wrong = append(wrong, c.signed()...)
	left, err := c.audited(p)
	if err != nil {
		return nil, err
	}
	wrong = append(wrong, left...)
	if c.check != nil {
		wrong = append(wrong, c.check(p, s)...)
	}
	return wrong, nil
}

// signed compares the guest book with what was wanted: a step that ran again wrote its own line again, and no other.
func (c *customer) signed() (wrong []string) {
	files, err := filepath.Glob(c.witness + ".book.*")
	if err != nil {
		return []string{"lost: " + err.Error()}
	}
	var lines []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return []string{"lost: " + err.Error()}
		}
		lines = append(lines, string(text))
	}
	slices.Sort(lines)
	if !slices.Equal(lines, c.book) {
		wrong = append(wrong, fmt.Sprintf("doubled: the guest book says %v, not %v", lines, c.book))
	}
	return wrong
}

// audited looks at the audit log: every stamp and every line in the guest book is there, allowed by somebody, and of nothing
// does it say for ever that it was about to run.
func (c *customer) audited(p *process) (wrong []string, err error) {
	log, err := audit(p)
	if err != nil {
		return nil, err
	}
	for _, e := range log {
		switch {
		case e.Outcome == policy.AuditStarted:
			wrong = append(wrong, fmt.Sprintf("stuck: the audit log says that %s was about to run", e.Tool))
		case e.By == "" || e.Digest == "":
			wrong = append(wrong, fmt.Sprintf("unapproved: the audit log says of %s that nobody allowed it", e.Tool))
		}
	}
	for tool, list := range map[string][]string{"witness": c.stamps, "guest_book": c.book} {
		for n, count := range times(list) {
			if done := log.times(tool, n); done != count {
				wrong = append(wrong, fmt.Sprintf("lost: the audit log has %s %s done %d times", tool, n, done))
			}
		}
	}
	return wrong, nil
}

// stamped compares what the witness saw with what was wanted. A stamp that may or may not be made is made once at most.
func (c *customer) stamped() (wrong []string) {
	wanted, seen := times(c.stamps), times(c.seen())
	for n, count := range seen {
		if count > max(wanted[n], 1) {
			wrong = append(wrong, "doubled: stamp "+n)
		}
		if !c.approved[n] {
			wrong = append(wrong, "unapproved: stamp "+n)
		}
	}
	for n, count := range wanted {
		if seen[n] < count {
			wrong = append(wrong, "lost: stamp "+n)
		}
	}
	return wrong
}

// times counts how often each stands in a list.
func times(list []string) map[string]int {
	counts := map[string]int{}
	for _, n := range list {
		counts[n]++
	}
	return counts
}
