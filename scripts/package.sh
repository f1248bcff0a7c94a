#!/usr/bin/env bash
# Packs what `make package` built: one archive per system in dist/, with checksums.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(node -p 'JSON.parse(require("fs").readFileSync("wails.json", "utf8")).info.productVersion')
arch=$(go env GOARCH)
rm -rf dist
mkdir -p dist

# The wails command adds icon and manifest to the Windows program; the frontend is built already.
go tool wails build -platform windows/amd64 -s -skipbindings -m -trimpath -o agentchat.exe

pack() { # name, files...
	local name=$1 stage
	shift
	stage=$(mktemp -d)
	install -d "$stage/$name"
	install -m 755 "$@" "$stage/$name/"
	tar -C "$stage" --sort=name --owner=0 --group=0 -czf "dist/$name.tar.gz" "$name"
	rm -rf "$stage"
}
pack "agentchat-$version-linux-$arch" build/bin/agentchat build/bin/agentchat-headless build/linux/agentchat.desktop build/appicon.png
pack "agentchat-$version-windows-amd64" build/bin/agentchat.exe

(cd dist && sha256sum -- *.tar.gz >SHA256SUMS && cat SHA256SUMS)
