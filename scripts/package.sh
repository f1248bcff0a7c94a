#!/usr/bin/env bash
# Packs what `make package` built, into dist/: .deb, .rpm and an archive for Linux, an installer and an archive for Windows, the parts of a
# Mac's bundle, what they are made of (CycloneDX), and checksums. The same commit gives the same bytes: every time in them is the commit's.
# What may differ: with a certificate (see sign-windows.sh) the signatures, and with another Go, Node or makensis everything.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022

version=$(sed -n 's/.*"productVersion": *"\([^"]*\)".*/\1/p' wails.json)
arch=$(go env GOARCH)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
[[ -z $(git status --porcelain) ]] || printf 'package: not everything is committed, so nobody else will get the same bytes\n'

: "${LDFLAGS:?make package says which version and commit this is}" "${SMALL:?make package says how programs are built small}"
rm -rf dist build/stage
mkdir -p dist build/stage
stage=$PWD/build/stage
dist() { "$stage/dist" "$@"; }
go build -ldflags "$LDFLAGS" -o "$stage/dist" ./cmd/dist

# The wails command adds icon, manifest and version to the Windows program; the frontend is built already. It is built of the originals
# itself, and hands on to go what GOFLAGS says: that the program is built small, as the others are. It need not look for folders that are
# embedded and not there (-skipembedcreate): none is missing, and it asks go that in a way which refuses such flags.
go build -o "$stage/wails" github.com/wailsapp/wails/v2/cmd/wails
GOFLAGS="${GOFLAGS:-} $SMALL" "$stage/wails" build -platform windows/amd64 -s -skipbindings -skipembedcreate -m -trimpath -tags nethttpomithttp2,lean -ldflags "$LDFLAGS" -o agentchat.exe >"$stage/wails.log" || {
	cat "$stage/wails.log"
	exit 1
}
scripts/sign-windows.sh build/bin/agentchat.exe

build/bin/agentchat-headless --licences >"$stage/THIRD-PARTY-LICENSES.txt"

# What Linux packages hold, as it is installed below /usr.
usr=$stage/root/usr
install -Dm755 -t "$usr/bin" build/bin/agentchat build/bin/agentchat-headless
install -Dm644 -t "$usr/share/applications" build/linux/agentchat.desktop
install -Dm644 build/linux/agentchat.mime.xml "$usr/share/mime/packages/agentchat.xml"
install -d "$usr/share/metainfo"
sed "s/@VERSION@/$version/; s/@DATE@/$(date -d "@$SOURCE_DATE_EPOCH" +%F)/" build/linux/local.agentchat.AgentChat.metainfo.xml \
	>"$usr/share/metainfo/local.agentchat.AgentChat.metainfo.xml"
dist icons build/appicon.png "$usr/share/icons/hicolor"
install -Dm644 build/appicon.svg "$usr/share/icons/hicolor/scalable/apps/agentchat.svg"
dist man "$usr/share/man/man1"
dist complete "$usr/share"
gzip -9n "$usr"/share/man/man1/*.1
install -Dm644 -t "$usr/share/doc/agentchat" "$stage/THIRD-PARTY-LICENSES.txt" LICENSE CHANGELOG.md
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Agent Chat\n\nFiles: *\nCopyright: the authors of Agent Chat\nLicense: all-rights-reserved\n'
	sed 's/^$/./; s/^/ /' LICENSE
	printf '\nFiles: usr/bin/*\nCopyright: see THIRD-PARTY-LICENSES.txt beside this file\nLicense: several\n The programs carry works of others; their licences stand in THIRD-PARTY-LICENSES.txt.\n'
} >"$stage/copyright"
gzip -9nc CHANGELOG.md >"$stage/changelog.gz"
printf 'agentchat (%s-1) unstable; urgency=medium\n\n  * What is new stands in changelog.gz beside this file.\n\n -- The Agent Chat authors <agentchat@localhost>  %s\n' \
	"$version" "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$stage/changelog.Debian.gz"
find "$stage/root" "$stage/copyright" "$stage"/changelog*.gz -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

# The engine, a package of its own: what Agent Chat does not need, and who has an Ollama does not want. ENGINE=folder takes one that was
# built elsewhere (bin/ollama, lib/ollama, THIRD-PARTY-LICENSES.txt); ENGINE=none leaves it out.
engine=${ENGINE:-.engine/root}
if [[ $engine != none ]]; then
	home=$stage/engine/usr/lib/agentchat/engine
	install -Dm755 -t "$home/bin" "$engine/bin/ollama"
	install -Dm755 -t "$home/lib/ollama" "$engine"/lib/ollama/*
	install -d "$stage/engine/usr/share/doc/agentchat-engine"
	{
		printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Ollama and llama.cpp\n\nFiles: *\nCopyright: see below\nLicense: MIT and others\n'
		sed 's/^[[:space:]]*$/./; s/^/ /' "$engine"/*LICENSES*
	} >"$stage/engine/usr/share/doc/agentchat-engine/copyright"
	chmod 644 "$stage/engine/usr/share/doc/agentchat-engine/copyright"
	printf 'agentchat-engine (%s-1) unstable; urgency=medium\n\n  * Ollama %s.\n\n -- The Agent Chat authors <agentchat@localhost>  %s\n' \
		"$version" "$(go list -m -f '{{.Version}}' github.com/ollama/ollama)" "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$stage/changelog.engine.gz"
	find "$stage/engine" "$stage/changelog.engine.gz" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
fi
# The newest version of a library that what is packed asks for.
asks() { find "$stage/engine" -type f -path '*/engine/*' -exec objdump -T {} + 2>/dev/null | grep -oE "$1_[0-9.]+" | sort -Vu | tail -1 | cut -d_ -f2; }

packages=(agentchat)
[[ $engine == none ]] || packages+=(agentchat-engine)
for package in "${packages[@]}"; do for packager in deb rpm; do
	STAGE=$stage ARCH=$arch VERSION=$version GLIBC=$(asks GLIBC) GCC=$(c++ -dumpversion) envsubst '$STAGE $ARCH $VERSION $GLIBC $GCC' <"build/linux/$package.nfpm.yaml" >"$stage/nfpm.yaml"
	.tools/bin/nfpm package --config "$stage/nfpm.yaml" --packager $packager --target dist/ >"$stage/nfpm.log" 2>&1 || { cat "$stage/nfpm.log"; exit 1; }
done; done

# Archives that need no installing.
linux=$stage/agentchat-$version-linux-$arch
install -Dm755 -t "$linux" build/bin/agentchat build/bin/agentchat-headless
cp -r "$usr/share" "$linux/"
install -m644 -t "$linux" LICENSE "$stage/THIRD-PARTY-LICENSES.txt" build/flatpak/local.agentchat.AgentChat.yml
dist pack "dist/agentchat-$version-linux-$arch.tar.gz" "$linux"

windows=$stage/agentchat-$version-windows-amd64
install -Dm755 -t "$windows" build/bin/agentchat.exe
install -m644 LICENSE "$windows/LICENSE.txt"
install -m644 -t "$windows" "$stage/THIRD-PARTY-LICENSES.txt"
dist pack "dist/agentchat-$version-windows-amd64.zip" "$windows"

dist types "$stage/types.nsh"
sign=()
[[ -z ${AGENTCHAT_SIGN_PFX:-} ]] || sign=("-DSIGN=$PWD/scripts/sign-windows.sh")
setup=dist/agentchat-$version-windows-amd64-setup.exe
touch -d "@$SOURCE_DATE_EPOCH" build/bin/agentchat.exe "$windows"/*
makensis -V2 -INPUTCHARSET UTF8 "-DVERSION=$version" "-DEXE=$PWD/build/bin/agentchat.exe" "-DLICENCE=$windows/LICENSE.txt" \
	"-DLICENCES=$windows/THIRD-PARTY-LICENSES.txt" "-DICON=$PWD/build/windows/icon.ico" "-DTYPES=$stage/types.nsh" "-DOUT=$PWD/$setup" \
	"${sign[@]}" build/windows/installer.nsi
scripts/sign-windows.sh "$setup"

# What a Mac's bundle is made of; a Mac finishes it.
mac=$stage/agentchat-$version-macos-parts
app="$mac/Agent Chat.app/Contents"
install -d "$app/Resources"
dist plist "$app/Info.plist"
printf 'APPL????' >"$app/PkgInfo"
dist icns build/appicon.png "$app/Resources/agentchat.icns"
install -m644 -t "$app/Resources" LICENSE "$stage/THIRD-PARTY-LICENSES.txt"
install -m755 -t "$mac" build/darwin/finish.sh
dist pack "dist/agentchat-$version-macos-parts.tar.gz" "$mac"

[[ $engine == none || ! -f .engine/ollama.cdx.json ]] || cp .engine/ollama.cdx.json "dist/agentchat-engine-$version.cdx.json"
node scripts/sbom.mjs "$version" >"dist/agentchat-$version.cdx.json"
(cd dist && sha256sum -- * >"$stage/SHA256SUMS" && mv "$stage/SHA256SUMS" . && cat SHA256SUMS)
rm -rf "$stage"
