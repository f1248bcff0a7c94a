#!/usr/bin/env bash
# Sets up, builds and opens the window. Arguments go to the program. Without a display: a guided tour of the real window.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh run
printf 'run: building the window (the first time takes some minutes)\n'
make --no-print-directory build/cache/bindings
make --no-print-directory build
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
	exec build/bin/agentchat "$@"
fi
exec node e2e/tour.mjs
