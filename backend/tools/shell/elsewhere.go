//go:build !linux

package shell

import (
	"context"
	"runtime"

	"agentchat/backend/apperr"
	"agentchat/backend/language/bilingual"
)

func unavailable() error {
	name := map[string]string{"windows": "Windows", "darwin": "macOS"}[runtime.GOOS]
	if name == "" {
		name = runtime.GOOS
	}
	return apperr.New(apperr.ShellUnavailable, "why", bilingual.Text{
		KO: name + "에서는 지원하지 않아요. Linux에서만 쓸 수 있어요", EN: name + " is not supported; they run on Linux only",
	})
}

func (t *shell) sandbox(context.Context) (string, bilingual.Text, error) {
	return "", bilingual.Text{}, unavailable()
}

func (t *shell) run(context.Context, plan) (outcome, error) { return outcome{}, unavailable() }

func sweep(string) {}
