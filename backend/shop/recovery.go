package shop

import (
	"context"
	"time"

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/job"
	"agentchat/backend/store"
)

// Remedy is what a person wants done about a ledger that is damaged. It does nothing to one that is sound.
type Remedy string

// The remedies. Both put the damaged ledger aside, beside where it was, under a name with the date.
const (
	RemedyNone    Remedy = ""
	RemedyRestore Remedy = "restore" // go on with the newest sound backup
	RemedyFresh   Remedy = "fresh"   // begin with nothing
)

// openStore opens the ledger, and where it is damaged does what the person said. Unless there is something to do then, it does
// not wait until the ledger was examined for damage.
func (s *Shop) openStore(ctx context.Context, dir string, remedy Remedy) (*store.Store, error) {
	if remedy == RemedyNone {
		return store.Begin(ctx, dir, time.Now)
	}
	disk, err := store.Open(ctx, dir, time.Now)
	if apperr.CodeOf(err) != apperr.StorageCorrupt {
		return disk, err
	}
	log := s.Log.Component("shop")
	backup, restoring := store.StartOver(ctx, dir, remedy == RemedyFresh)
	if restoring != nil {
		log.Error().Err(restoring).Msg("the damaged ledger was left where it is")
		return nil, err
	}
	log.Warn().Err(err).Str("backup", backup).Msg("the ledger was damaged; it was put aside")
	return store.Open(ctx, dir, time.Now)
}

// lookAhead reads what jobs are unfinished while the ledger is examined and the shop is put together.
func (s *Shop) lookAhead(ctx context.Context) {
	var found job.Unfinished
	var err error
	read := make(chan struct{})
	go func() {
		defer close(read)
		found, err = job.Look(ctx, s.store)
	}()
	s.closing = append(s.closing, func() error { <-read; return nil })
	s.found = func() (job.Unfinished, error) { <-read; return found, err }
}

func (s *Shop) takeUpJobs(context.Context) error {
	found, err := s.found()
	if err == nil {
		s.jobs.Hold(s.Config.Get().Paused)
		s.jobs.Start(found, s.Config.Get().Workers)
	}
	return err
}

// unfinished counts what was under way when the program ended, before anything is taken up. The jobs are counted by those
// who take them up.
func (s *Shop) unfinished(ctx context.Context, now func() time.Time) (event.ShopRecovered, error) {
	if now == nil {
		now = time.Now
	}
	var r event.ShopRecovered
	var err error
	r.Questions, r.Turns, r.Transfers, r.Unreadable, err = s.store.Unfinished(ctx, now().Format(time.DateOnly))
	return r, err
}

// checkRecords looks whether what was taken up can be read, and tells anew what was taken up where some of it cannot.
func (s *Shop) checkRecords(ctx context.Context, others event.ShopRecovered) {
	torn, err := s.jobs.CheckRecords(ctx)
	if err != nil && ctx.Err() == nil {
		log := s.Log.Component("shop")
		log.Error().Err(err).Msg("whether all unfinished jobs can be read is not known")
	}
	if torn > 0 {
		s.tellRecovered(others)
	}
}

// tellRecovered tells the fronts what was taken up again, if anything was.
func (s *Shop) tellRecovered(r event.ShopRecovered) {
	jobs := s.jobs.Recovered()
	r.Jobs, r.Running, r.Waiting, r.InDoubt = jobs.Queued+jobs.Running+jobs.Waiting, jobs.Running, jobs.Waiting, jobs.InDoubt
	r.Unreadable += jobs.Unreadable
	if r == (event.ShopRecovered{}) {
		return
	}
	s.recovered.Store(&r)
	s.Bus.Publish(event.Of("", "", r))
	log := s.Log.Component("shop")
	log.Info().Int("jobs", r.Jobs).Int("questions", r.Questions).Int("turns", r.Turns).Int("in_doubt", r.InDoubt).Int("unreadable", r.Unreadable).
		Msg("unfinished work was taken up again")
}
