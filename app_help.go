package main

import (
	"context"
	"time"

	"agentchat/backend/about"
	"agentchat/backend/diagnose"
	"agentchat/backend/shop"
)

// About says what this program is.
func (a *App) About() (about.Facts, error) {
	return call(a, func(context.Context, *shop.Shop) (about.Facts, error) { return about.Of(), nil })
}

// Licences lists everything of others in the program with its licence.
func (a *App) Licences() ([]about.Part, error) {
	return call(a, func(context.Context, *shop.Shop) ([]about.Part, error) { return about.Licences(), nil })
}

// Diagnosis makes a report without words or secrets for whoever helps the person.
func (a *App) Diagnosis() ([]diagnose.Part, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) ([]diagnose.Part, error) { return s.Diagnosis(ctx), nil })
}

// SaveDiagnosis shows the system's save dialog and writes a report there as it was shown. It gives the chosen path, "" when the person
// closed the dialog.
func (a *App) SaveDiagnosis(title string, parts []diagnose.Part) (string, error) {
	return call(a, func(ctx context.Context, s *shop.Shop) (string, error) {
		path, err := chosen(ctx, "", title, "agentchat-report-"+time.Now().Format("2006-01-02")+".zip")
		if err != nil || path == "" {
			return "", err
		}
		return path, s.SaveDiagnosis(path, parts)
	})
}

// CrashSeen puts away that the program broke off.
func (a *App) CrashSeen() error {
	return run(a, func(_ context.Context, s *shop.Shop) error { return s.CrashSeen() })
}
