package shop

import (
	"context"
	"path/filepath"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/update"
)

func (s *Shop) openUpdates() {
	s.updates = update.New(update.Deps{
		Line:    s.line,
		Version: about.Version, Folder: filepath.Join(s.Config.Get().DataDir, "updates"),
		Allowed: func() bool { return s.Config.Get().Updates == "on" },
		Changed: func() { s.Bus.Publish(event.Of("", "", event.UpdateChanged{})) },
		Lang:    func() bilingual.Lang { return s.Config.Get().Lang }, Now: time.Now, Log: s.Log.Component("updates"),
	})
	s.closing = append(s.closing, func() error { s.updates.Stop(); return nil })
}

// Update tells what is known of newer versions.
func (s *Shop) Update() update.View { return s.updates.View() }

// LookForUpdate reads the list of versions now. Errors: update_nowhere, update_unreachable, update_refused; the context's.
func (s *Shop) LookForUpdate(ctx context.Context) (update.View, error) {
	err := s.updates.Look(ctx)
	return s.updates.View(), err
}

// FetchUpdate downloads the package of the newer version and checks it. Errors: see update.Updates.Fetch.
func (s *Shop) FetchUpdate(ctx context.Context) (update.View, error) {
	err := s.updates.Fetch(ctx)
	return s.updates.View(), err
}

// OpenUpdate opens the package that was downloaded in the program that installs it, or the folder it lies in where a command or the person does that.
// Errors: update_nothing, no_desktop.
func (s *Shop) OpenUpdate(ctx context.Context) error {
	v := s.updates.View()
	switch {
	case v.Path == "":
		return apperr.New(apperr.UpdateNothing)
	case v.Command != "" || v.Kind == update.KindArchive:
		return s.opener.Open(ctx, filepath.Dir(v.Path))
	}
	return s.opener.Open(ctx, v.Path)
}
