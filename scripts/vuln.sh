#!/usr/bin/env bash
# Looks up the known advisories for everything the app is built of; docs/security.md explains those that stay. Needs the
# network; VULNDB=file:///folder looks the Go ones up in a copy of the database instead.
set -uo pipefail
cd "$(dirname "$0")/.."

status=0
go run golang.org/x/vuln/cmd/govulncheck@v1.8.0 ${VULNDB:+-db "$VULNDB"} -tags desktop,production,webkit2_41 ./... || status=1
for dir in frontend e2e; do
	echo "== npm audit: $dir"
	npm --prefix "$dir" audit || status=1
done
exit $status
