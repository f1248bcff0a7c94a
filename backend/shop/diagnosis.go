package shop

import (
	"context"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/config"
	"agentchat/backend/crash"
	"agentchat/backend/diagnose"
	"agentchat/backend/store"
)

// Diagnose makes a report for whoever helps a person, of a shop that need not be open. Errors: settings errors.
func Diagnose(ctx context.Context, o config.Options) ([]diagnose.Part, error) {
	o.Look = true // a look at what may be broken must not mend it
	cfg, _, err := config.Load(o)
	if err != nil {
		return nil, err
	}
	return diagnosis(ctx, cfg), nil
}

// Diagnosis is Diagnose of this shop.
func (s *Shop) Diagnosis(ctx context.Context) []diagnose.Part { return diagnosis(ctx, s.Config) }

func diagnosis(ctx context.Context, cfg *config.Config) []diagnose.Part {
	dir := cfg.Get().DataDir
	counts, err := store.Counts(ctx, dir)
	return diagnose.Parts(diagnose.Sources{DataDir: dir, Settings: cfg.View().Settings, Counts: counts, Wrong: err, Now: time.Now()})
}

// SaveDiagnosis writes a report as it was shown. Errors: storage_failed.
func (s *Shop) SaveDiagnosis(path string, parts []diagnose.Part) error {
	if err := diagnose.Save(path, parts, time.Now()); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return nil
}

// keepCrashes has what ends the program against its will written into the data folder, until the shop is closed. Without it the shop
// opens all the same.
func (s *Shop) keepCrashes(dir string) {
	log := s.Log.Component("crash")
	keeper, err := crash.Keep(dir, about.Line())
	if err != nil {
		log.Warn().Err(err).Msg("crashes are not written down")
		return
	}
	s.closing = append(s.closing, keeper.Close)
	if at := s.crashed(); at != "" {
		log.Warn().Str("at", at).Msg("the last run of the program broke off")
	}
}

// crashed is when the program last broke off, if nobody has looked at that yet: RFC 3339 in UTC, or "".
func (s *Shop) crashed() string {
	reports, err := crash.Reports(s.Config.Get().DataDir)
	if err != nil || len(reports) == 0 || !reports[0].New {
		return ""
	}
	return reports[0].At.Format(time.RFC3339)
}

// CrashSeen puts away that the program broke off; its report stays. Errors: storage_failed.
func (s *Shop) CrashSeen() error {
	if err := crash.Seen(s.Config.Get().DataDir); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return nil
}
