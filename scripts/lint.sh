#!/usr/bin/env bash
# Every style check; all of them run, and the script fails if any failed.
set -uo pipefail
cd "$(dirname "$0")/.."

status=0
check() {
	local name=$1
	shift
	printf '== %s\n' "$name"
	"$@" || { printf '== %s FAILED\n' "$name"; status=1; }
}

# The tools are built too: what stands in for a module (lean) must have what they call of it, or `make dev` and `make package` stop there.
mods_clean() { go mod verify >/dev/null && go list -mod=readonly -deps ./... tool >/dev/null && go build tool; }

check 'golangci-lint' .tools/bin/golangci-lint run
# What the window and the headless front never reach; a function only tests use belongs into an export_test.go.
nothing_dead() {
	local dead
	dead=$(go tool deadcode -tags desktop,production,webkit2_41 . ./cmd/headless ./cmd/learn) || return
	[ -z "$dead" ] || { printf '%s\n' "$dead"; return 1; }
}

check 'go.mod is complete' mods_clean
check 'deadcode' nothing_dead
check 'frontend: eslint, prettier' npm --prefix frontend run --silent lint
check 'e2e: prettier' npm --prefix e2e run --silent lint
if command -v shellcheck >/dev/null; then check 'scripts: shellcheck' shellcheck scripts/*.sh .ci/run; fi
exit $status
