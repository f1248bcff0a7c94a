#!/usr/bin/env bash
# Runs every benchmark, and the score of the built-in interpreter on requests it has never seen.
set -euo pipefail
cd "$(dirname "$0")/.."

exec go test -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" ./backend/... ./cmd/...
