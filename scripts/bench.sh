#!/usr/bin/env bash
# Runs every benchmark (among them the speed and the memory of a library of 100,000 passages), the score of the built-in
# interpreter on requests it has never seen (with REQUESTS=folder, QUESTIONS=file and DOCUMENTS=folder on those, too), and,
# where there is a real Ollama server, how much of the prompts it has to read again.
set -euo pipefail
cd "$(dirname "$0")/.."

# What else the machine does stands beside the figures: compare only the ratios of a busy one.
load() { printf 'load of %s cores: %s\n' "$(getconf _NPROCESSORS_ONLN)" "$(uptime | sed 's/.*load average[s]*: //')"; }
load
real=BenchmarkPrefixCache # a conversation, which is had once
go test -run '^$' -bench . -skip "^$real\$" -benchtime "${BENCHTIME:-1s}" ./backend/... ./cmd/...

make --no-print-directory eval-requests ${REQUESTS:+REQUESTS="$REQUESTS"} ${QUESTIONS:+QUESTIONS="$QUESTIONS" DOCUMENTS="$DOCUMENTS"}

# Where backend/testing/realollama looks, in the same order.
server=${OLLAMA_BIN:-$(command -v ollama || echo ../shared/ollama/bin/ollama)}
if [ -e "$server" ]; then
	go test -run '^$' -bench "^$real\$" -benchtime 1x ./cmd/headless
else
	echo "Skipped: the share of prompts from the prefix cache needs a real Ollama server. Set OLLAMA_BIN or put ollama on the PATH."
fi
load
