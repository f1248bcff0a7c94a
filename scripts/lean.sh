#!/usr/bin/env bash
# Copies dependencies into build/lean and takes out of them what looks methods up by their names at run time (lean/patches), for the
# linker keeps every method of every type while anything does. `go build -modfile build/lean/go.mod -overlay build/lean/overlay.json
# -tags lean` builds a program of these, and so are the tests; what the race detector watches, `wails dev` and a plain `go build` are of the originals. See ADR 11.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/lean
made=$(cat go.mod go.sum lean/patches/*.diff scripts/lean.sh <(go version) | sha256sum)
[[ -f $out/made && $(<$out/made) == "$made" ]] && exit 0
rm -rf "$out"
mkdir -p "$out"

# patch FILE INTO: git finds no repository above the folder, so that it takes the paths as they are.
patch() {
	GIT_CEILING_DIRECTORIES=$PWD/$out git -C "$2" apply "$PWD/lean/patches/$1" || {
		printf 'lean: lean/patches/%s does not fit any more; mend it, or delete it and let the programs grow (lean/README.md)\n' "$1" >&2
		return 1
	}
}

cp go.mod go.sum "$out/"
overlay=()
for file in lean/patches/*.diff; do
	read -r kind name <"$file"
	at=$out/$(basename "$file" .diff)
	if [[ $kind == module ]]; then
		go mod download "$name"
		cp -r --no-preserve=mode "$(go list -m -f '{{.Dir}}' "$name")" "$at"
		go mod edit -replace "$name=./$at" "$out/go.mod"
	else
		from=$(go env GOROOT)/src/$name
		mkdir "$at"
		for changed in $(sed -n 's#^--- a/##p' "$file"); do
			cp --no-preserve=mode "$from/$changed" "$at/"
			overlay+=("\"$from/$changed\": \"$PWD/$at/$changed\"")
		done
	fi
	patch "$(basename "$file")" "$at"
done
# Bindings are made by Wails as it is, which looks for the methods; all else is compiled as for the programs.
cp "$out/go.mod" "$out/bindings.mod"
cp go.sum "$out/bindings.sum"
go mod edit -dropreplace github.com/wailsapp/wails/v2 "$out/bindings.mod"
(IFS=, && printf '{"Replace": {%s}}\n' "${overlay[*]}") >"$out/overlay.json"
printf '%s' "$made" >"$out/made"
