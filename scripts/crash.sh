#!/usr/bin/env bash
# Kills the real program before and after every moment that matters, in every story, and RANDOM_KILLS (25) more times at
# a random time in each; prints the counts. Before that the disk fails at every single request, and a model in an attacker's
# hand has every story told to everybody. Takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

go test ./backend/store -run 'TheDisk|ThePower' -count=1 -timeout 0 -fault.full
go test ./backend/testing/compromised -count=1 -v -timeout 0 -compromised.full | grep -v -E '^=== |^ +--- PASS'
go test ./backend/filing -count=1 -timeout 0 -run ManyMoves -filing.whole
go test ./backend/testing/crash -count=1 -v -timeout 0 -crash.full -crash.random "${RANDOM_KILLS:-25}" |
	grep -v -E '^=== |^ +--- PASS'
