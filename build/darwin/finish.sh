#!/usr/bin/env bash
# Makes the .app and the .dmg on a Mac, of the bundle that `make package` laid out beside this script and of the project's folder:
#   ./finish.sh /path/to/the/project
# The window needs the Mac's own frameworks, so only a Mac can link it. THIS HAS NOT BEEN RUN: no Mac was there when it was written.
# With CODESIGN_IDENTITY set it signs; notarising (xcrun notarytool) is then up to whoever has the account.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "${1:?usage: finish.sh PROJECT}" && pwd)
app="$here/Agent Chat.app"
version=$(/usr/libexec/PlistBuddy -c 'Print :CFBundleShortVersionString' "$app/Contents/Info.plist")

make -C "$project" frontend
mkdir -p "$app/Contents/MacOS"
for arch in arm64 amd64; do
	(cd "$project" && GOOS=darwin GOARCH=$arch CGO_ENABLED=1 CGO_CFLAGS=-mmacosx-version-min=11.0 CGO_LDFLAGS='-framework UniformTypeIdentifiers -mmacosx-version-min=11.0' \
		go build -trimpath -tags desktop,production -ldflags "-w -s -X agentchat/backend/about.Version=$version" -o "$here/agentchat-$arch" .)
done
lipo -create -output "$app/Contents/MacOS/agentchat" "$here/agentchat-arm64" "$here/agentchat-amd64"
rm "$here/agentchat-arm64" "$here/agentchat-amd64"
codesign --force --deep --options runtime --sign "${CODESIGN_IDENTITY:--}" "$app"

# The picture of a disk: the program, and the folder it is dragged to.
stage=$(mktemp -d)
cp -R "$app" "$stage/"
ln -s /Applications "$stage/Applications"
hdiutil create -volname 'Agent Chat' -srcfolder "$stage" -ov -format UDZO "$here/agentchat-$version.dmg"
rm -rf "$stage"
