#!/usr/bin/env bash
# Makes every package twice, in clones of what is committed, and compares the bytes; then installs, starts and removes each, where that is
# possible on this system, and looks into the others. Needs root, a network for apt, and some 6 GB in TMPDIR. `package-test.sh [PART …]`:
# twice, deb, done, rpm, archive, windows, mac, sbom; all of them by default. With DIST=folder the packages of that folder are tested, not made.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

die() {
	printf 'package-test: FAILED: %s\n' "$*" >&2
	exit 1
}
say() { printf 'package-test: %s\n' "$*"; }
(($(id -u) == 0)) || die "installing packages takes root; please run it with sudo"
(($#)) || set -- twice deb done rpm archive windows mac sbom
version=$(sed -n 's/.*"productVersion": *"\([^"]*\)".*/\1/p' wails.json)
arch=$(go env GOARCH)
work=$(mktemp -d "${TMPDIR:-/tmp}/agentchat-package.XXXXXX")
chmod 755 "$work"
started=()
finish() {
	for pid in "${started[@]}"; do pkill -KILL -P "$pid" 2>/dev/null || true; kill "$pid" 2>/dev/null || true; done
	[[ -n ${KEEP:-} ]] && say "left in $work" || rm -rf --one-file-system "$work"
}
trap finish EXIT

# A certificate made on the spot: it says nothing about who signed, and shows that signing works.
certificate() {
	[[ -f $work/sign.pfx ]] && return
	openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Agent Chat test' -addext extendedKeyUsage=codeSigning \
		-keyout "$work/sign.key" -out "$work/sign.crt" 2>/dev/null
	printf test >"$work/sign.password"
	openssl pkcs12 -export -inkey "$work/sign.key" -in "$work/sign.crt" -passout file:"$work/sign.password" -out "$work/sign.pfx"
	export AGENTCHAT_SIGN_PFX=$work/sign.pfx AGENTCHAT_SIGN_PASSWORD_FILE=$work/sign.password
}

make_in() { # a clone of HEAD in $1, and its packages
	git clone --quiet . "$1"
	cp -a frontend/node_modules "$1/frontend/" # npm ci would fetch the same
	mkdir -p "$1/.tools" && cp -a .tools/bin "$1/.tools/"
	[[ -n ${ENGINE:-} || ! -d .engine ]] || cp -a .engine "$1/" # built once: what is compared is how it is packed
	make --no-print-directory -C "$1" package >"$1.log" 2>&1 || { tail -30 "$1.log"; die "make package"; }
}

twice() {
	certificate
	say 'making the packages in two places'
	make_in "$work/one"
	make_in "$work/somewhere/else"
	diff "$work/one/dist/SHA256SUMS" "$work/somewhere/else/dist/SHA256SUMS" || die 'two builds differ'
	(cd "$work/one/dist" && sha256sum --quiet -c SHA256SUMS)
	DIST=$work/one/dist
	say "the same bytes twice, signatures too: $(wc -l <"$DIST/SHA256SUMS") files"
}

# A display of our own; programs inside a root reach it by its abstract socket.
display() {
	[[ -n ${screen:-} ]] && return
	screen=:$((200 + RANDOM % 700))
	Xvfb "$screen" -screen 0 1280x900x24 >"$work/xvfb.log" 2>&1 &
	started+=($!)
	export DISPLAY=$screen
	local i
	for ((i = 0; i < 200; i++)); do xdpyinfo >/dev/null 2>&1 && return; sleep 0.1; done
	die 'no display'
}

# Waits for the window of a program that was just started, and that its page says something; $1 names the picture.
window_of() {
	local found i
	for ((i = 0; i < 600; i++)); do
		found=$(xdotool search --onlyvisible --name '^Agent Chat$' 2>/dev/null | head -1 || true)
		[[ -n $found ]] && break
		sleep 0.2
	done
	[[ -n $found ]] || die "$1: no window came"
	for ((i = 0; i < 300; i++)); do
		scrot --overwrite "$work/$1.png" 2>/dev/null || true
		# A picture of an empty page is small: that of the frame alone takes 41 kB, that of what the shop says more than 100.
		(($(stat -c %s "$work/$1.png" 2>/dev/null || echo 0) > 70000)) && break
		sleep 0.2
	done
	((i < 300)) || die "$1: the window stays empty"
	[[ -z ${PICTURES:-} ]] || cp "$work/$1.png" "$PICTURES/"
	say "$1: its window is there"
}

# Runs a command with a folder as the root of the file system, as scripts/fresh.sh does.
inside() { within "$1" </dev/null; }
within() {
	unshare --mount --pid --fork --kill-child --mount-proc bash -c '
		set -e
		mount --make-rprivate /
		mount --bind "$0" "$0"
		cd "$0"
		mkdir -p proc sys dev .before
		mount --rbind /dev dev
		mount --bind /sys sys
		mount -t tmpfs -o mode=1777 tmpfs dev/shm
		mount -t proc proc proc
		pivot_root . .before
		umount -l /.before
		exec env -i HOME=/root LANG=C.UTF-8 TERM=dumb DISPLAY="$2" PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -c "$1"
	' "$root" "$1" "${DISPLAY:-}"
}

# Ends what `inside` began beside this script: the first process of its room, and with it all others there.
end_of() {
	pkill -KILL -P "$1" || true
	wait "$1" 2>/dev/null || true
}

# A bare Debian in $root, with the network as it is here.
bare() {
	if [[ -n ${ROOT_TAR:-} && -f ${ROOT_TAR:-} ]]; then
		mkdir "$root" && tar -C "$root" -xf "$ROOT_TAR"
	else
		debootstrap --variant=minbase --include=ca-certificates "${SUITE:-bookworm}" "$root" >"$work/debootstrap.log" || die "debootstrap: $work/debootstrap.log"
	fi
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
	cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
}

deb() {
	local package="$DIST/agentchat_${version}_${arch}.deb" before after
	[[ -f $package ]] || package=$(ls "$DIST"/agentchat_*.deb)
	# What lintian would rather have and a package of a publisher's own does not need: an upload to Debian.
	if command -v lintian >/dev/null; then
		lintian --tag-display-limit 0 --fail-on error \
			--suppress-tags statically-linked-binary,embedded-library,no-changelog,initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog "$package" >"$work/lintian.log" || { cat "$work/lintian.log"; die lintian; }
	fi
	root=$work/debian
	bare
	cp "$package" "$root/root/agentchat.deb"
	printf '제5조(임금) 월급은 300만원으로 한다.\n' >"$root/root/contract.txt"
	# What ldconfig and the databases of types leave is not the package's; so these are there before.
	inside 'apt-get update -qq && apt-get install -y -qq --no-install-recommends desktop-file-utils shared-mime-info hicolor-icon-theme libglib2.0-bin >/dev/null 2>&1' || die 'apt-get in the root'
	inside 'apt-get install -y -qq --no-install-recommends /root/agentchat.deb >/root/apt.log 2>&1 || { tail -20 /root/apt.log; exit 1; }' || die 'apt cannot install it'
	say "deb: installed by apt with $(grep -c '^Setting up' "$root/root/apt.log") packages that it needs"
	inside 'set -e
		agentchat --version
		agentchat-headless --version
		test "$(gio mime application/hwp+zip | grep -c agentchat.desktop)" -gt 0
		test "$(gio mime application/pdf | grep -c agentchat.desktop)" -gt 0
		gio info -a standard::content-type /root/contract.txt | grep -q text/plain
		printf PK >/root/a.hwpx; gio info -a standard::content-type /root/a.hwpx | grep -q hwp+zip
		for size in 16 22 24 32 48 64 128 256 512; do test -s /usr/share/icons/hicolor/${size}x$size/apps/agentchat.png; done
		test -s /usr/share/icons/hicolor/scalable/apps/agentchat.svg
		zcat /usr/share/man/man1/agentchat.1.gz | grep -q -- "diagnose"
		test -s /usr/share/doc/agentchat/copyright -a -s /usr/share/doc/agentchat/THIRD-PARTY-LICENSES.txt
		XDG_DATA_HOME=/root/other agentchat ask "3 더하기 4는?" </dev/null | grep -q 7
	' || die 'what it installed'
	display
	# As the file manager does it: by the desktop file, with a document.
	inside 'gio launch /usr/share/applications/agentchat.desktop /root/contract.txt & sleep 1; while pgrep -x agentchat >/dev/null 2>&1 || kill -0 $! 2>/dev/null; do sleep 1; done; exec sleep infinity' >"$work/deb.log" 2>&1 &
	local shell=$!
	started+=("$shell")
	window_of deb
	end_of "$shell"
	grep -q '"the shop is open"\|the shop is open' "$root/root/.local/share/agentchat/logs/agentchat.log" || die 'the shop did not open'
	inside 'dpkg -L agentchat' | sort >"$work/files"
	inside 'apt-get purge -y -qq agentchat >/dev/null 2>&1' || die 'apt cannot remove it'
	while read -r file; do
		[[ -f $root$file ]] && die "$file is still there" || true
	done <"$work/files"
	for left in "$root"/usr/share/applications/mimeinfo.cache "$root"/usr/share/mime/globs2; do
		! grep -q 'agentchat\|hwpx' "$left" 2>/dev/null || die "$left still knows of it"
	done
	[[ -f $root/root/.local/share/agentchat/agentchat.db ]] || die 'the data went with the package'
	say 'deb: removed, nothing of it is left but the data'
	rm -rf --one-file-system "$root"
}

# What a person does: installs both packages, starts from the menu, brings a model on a stick, asks, closes, installs the next version
# while a question is open, and answers it.
done_() {
	local answer ask next=$work/next data=/root/.local/share/agentchat
	root=$work/person
	bare
	cp "$DIST"/agentchat_*.deb "$DIST"/agentchat-engine_*.deb "$root/root/" || die 'one of the two packages is missing'
	make --no-print-directory models >/dev/null || die 'no model'
	cp .models/smollm2-135m-instruct.gguf "$root/root/"
	inside 'apt-get update -qq && apt-get install -y -qq --no-install-recommends libglib2.0-bin procps /root/agentchat_*.deb /root/agentchat-engine_*.deb >/root/apt.log 2>&1 || { tail -20 /root/apt.log; exit 1; }' || die 'apt cannot install both'
	display
	inside 'gio launch /usr/share/applications/agentchat.desktop & exec sleep infinity' >"$work/done.log" 2>&1 &
	local shell=$!
	started+=("$shell")
	window_of done
	end_of "$shell"
	grep -q 'the engine runs' "$root$data/logs/agentchat.log" || die 'the engine did not start with the window'

	shop_of "$data"
	say_to '{"cmd":"import_model","path":"/root/smollm2-135m-instruct.gguf"}'
	await '"kind":"model.pull".*"state":"done"'
	say_to '{"cmd":"load_model","model":"smollm2-135m-instruct","id":1}'
	await '"id":1,'
	say_to '{"cmd":"models","id":2}'
	await '"id":2'
	grep -q '"state":"running"' <<<"$line" && grep -q '"loaded":true' <<<"$line" || die "the model does not run: $line"
	# What a model that small says is its own; that it was asked and the shop answered is ours.
	say_to '{"cmd":"say","text":"Could you tell me why the sky is blue?"}'
	await '"kind":"thinking".*"wrote"'
	await '"kind":"chat.message".*"role":"shop"'
	say_to '{"cmd":"say","text":"3 더하기 4는?"}'
	await '"role":"job","text":"[^"]*7'
	say_to '{"cmd":"config","set":{"tools.calculator.confirm":"always"},"id":4}'
	await '"id":4'
	say_to '{"cmd":"say","text":"12 곱하기 3은?"}'
	await '"kind":"ask.opened"'
	answer=$(python3 -c 'import json, sys; d = json.loads(sys.argv[1])["data"]; a = d.get("ask", d); print(json.dumps({"cmd": "answer", "ask": a["id"], "choice": "approve", "digest": a["digest"], "id": 5}))' "$line")

	# The next version, over the program that runs.
	dpkg-deb -R "$DIST"/agentchat_*.deb "$next"
	sed -i "s/^Version: .*/Version: 99.0.0-1/" "$next/DEBIAN/control"
	dpkg-deb -b --root-owner-group -Zgzip -z1 "$next" "$root/root/next.deb" >/dev/null
	inside 'apt-get install -y -qq --no-install-recommends /root/next.deb >/root/apt.log 2>&1 || { tail -20 /root/apt.log; exit 1; }' || die 'apt cannot upgrade it'
	shut
	shop_of "$data"
	say_to '{"cmd":"snapshot","id":6}'
	await '"id":6'
	ask=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["ask"])' "$answer")
	grep -q "$ask" <<<"$line" || die 'the question is gone after the upgrade'
	say_to "$answer"
	await '"role":"job","text":"[^"]*36'
	shut
	! grep -alz OLLAMA_MODELS=/root/.local /proc/[0-9]*/environ 2>/dev/null | grep -q . || die 'the engine stays'
	say 'done: installed, started from the menu, a model file loaded, asked, upgraded with a question open, answered'
	rm -rf --one-file-system "$root" "$next"
}

# shop_of starts the installed shop on a data folder; say_to gives it a command, await waits for a line, shut ends it.
shop_of() {
	coproc SHOP { within "exec agentchat-headless --data $1" 2>"$work/shop.log"; }
	await '"kind":"ready"'
}
say_to() { printf '%s\n' "$1" >&"${SHOP[1]}"; }
await() {
	local until=$((SECONDS + 300)) # for other lines come all the time
	while ((SECONDS < until)) && IFS= read -r -t 300 -u "${SHOP[0]}" line; do [[ ! $line =~ $1 ]] || return 0; done
	die "it does not come: $1"
}
shut() {
	local pid=$SHOP_PID
	say_to '{"cmd":"quit"}'
	cat <&"${SHOP[0]}" >/dev/null || true
	wait "$pid" 2>/dev/null || true
}

rpm_() {
	local package root=$work/rpm
	package=$(ls "$DIST"/agentchat-[0-9]*.rpm)
	rpm -qp --requires "$package" 2>/dev/null | grep -qx webkit2gtk4.1 || die 'rpm: what it needs'
	rpm -qp --recommends "$package" 2>/dev/null | grep -qx gstreamer1-plugins-good || die 'rpm: what it recommends'
	rpm -K --nosignature "$package" >/dev/null || die 'rpm: its digests'
	mkdir -p "$root"
	rpm --root "$root" --initdb
	# Debian has no packages of these names; what it needs is there by others.
	rpm --root "$root" --nodeps --nosignature -i "$package" 2>/dev/null || die 'rpm: installing'
	rpm --root "$root" -V --nodeps agentchat || die 'rpm: what is installed is not what was packed'
	"$root/usr/bin/agentchat" --version
	display
	XDG_DATA_HOME=$work/rpm-data "$root/usr/bin/agentchat" >"$work/rpm.log" 2>&1 &
	local program=$!
	started+=("$program")
	window_of rpm
	kill "$program" && wait "$program" || die 'rpm: the program did not end well'
	rpm --root "$root" -e agentchat
	[[ -z $(find "$root/usr" -type f) ]] || die "rpm: left: $(find "$root/usr" -type f)"
	say 'rpm: installed, verified, started and erased (with the libraries of this system)'
}

archive() {
	tar -C "$work" -xzf "$DIST/agentchat-$version-linux-$arch.tar.gz"
	local folder=$work/agentchat-$version-linux-$arch
	"$folder/agentchat-headless" --version
	desktop-file-validate "$folder/share/applications/agentchat.desktop" || die 'the desktop file'
	appstreamcli validate --no-net --no-color "$folder"/share/metainfo/*.xml >"$work/appstream.log" 2>&1 || { cat "$work/appstream.log"; die 'the metainfo'; }
	for page in "$folder"/share/man/man1/*; do
		[[ -z $(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) ]] || die "man $page"
	done
	display
	XDG_DATA_HOME=$work/archive-data "$folder/agentchat" >"$work/archive.log" 2>&1 &
	local program=$!
	started+=("$program")
	window_of archive
	# A crash is kept, and told at the next start.
	kill -ABRT "$program"
	wait "$program" 2>/dev/null && die 'archive: it should have broken off' || true
	"$folder/agentchat-headless" --data "$work/archive-data/agentchat" <<<'{"cmd":"snapshot"}' >"$work/snapshot.json" 2>/dev/null
	grep -q '"crashed":"20' "$work/snapshot.json" || die 'archive: the crash is not told'
	"$folder/agentchat" --data "$work/archive-data/agentchat" --diagnose --save "$work/report.zip" >"$work/report.txt"
	python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert any(n.startswith("crash-") for n in z.namelist()) and b"SIGABRT" in z.read([n for n in z.namelist() if n.startswith("crash-")][0])' "$work/report.zip" || die 'archive: the report'
	say 'archive: unpacked, started, broken off, told'
	python3 -c 'import sys, re; t = open(sys.argv[1]).read(); assert re.search(r"^id: local", t, re.M)' "$folder/local.agentchat.AgentChat.yml"
	if command -v flatpak-builder >/dev/null; then
		(cd "$folder" && flatpak-builder --show-manifest local.agentchat.AgentChat.yml >/dev/null) || die 'the Flatpak manifest'
		say 'flatpak: its manifest is read; NOT built, as its runtime cannot be had here'
	fi
}

windows() {
	local zip=$DIST/agentchat-$version-windows-amd64.zip setup=$DIST/agentchat-$version-windows-amd64-setup.exe exe
	unzip -q -o "$zip" -d "$work"
	exe=$work/agentchat-$version-windows-amd64/agentchat.exe
	local file
	for file in "$exe" "$setup"; do
		wrestool -x --raw -t 24 "$file" >"$work/manifest.xml"
		wrestool -x --raw -t 16 "$file" | iconv -f UTF-16LE -t UTF-8 -c | tr -d '\0' >"$work/version.txt" || true
		grep -q "$version" "$work/version.txt" && grep -q 'All rights reserved' "$work/version.txt" || die "$file: its version"
		[[ -n $(wrestool -l -t 14 "$file") ]] || die "$file: its icon"
	done
	wrestool -x --raw -t 24 "$exe" | grep -qi 'permonitorv2' || die 'the manifest of the program'
	wrestool -x --raw -t 24 "$setup" | grep -q 'requestedExecutionLevel level="asInvoker"\|requestedExecutionLevel level="user"' || die 'the installer asks for rights'
	if [[ -n ${AGENTCHAT_SIGN_PFX:-} ]]; then
		for file in "$exe" "$setup"; do
			osslsigncode verify -CAfile "$work/sign.crt" -in "$file" >"$work/verify.log" 2>&1 || { tail -20 "$work/verify.log"; die "the signature of $file"; }
		done
		say 'windows: icon, version, manifest and signatures (of a test certificate) are right'
	fi
	if ! command -v wine >/dev/null; then
		say 'windows: NOT installed, as there is no Wine here'
		return
	fi
	export WINEPREFIX=$work/wine WINEARCH=win64 WINEDEBUG=-all
	display
	local wine=(timeout 600 wine)
	"${wine[@]}" wineboot -i >"$work/wineboot.log" 2>&1 || die 'Wine does not begin'
	"${wine[@]}" "$setup" /S >"$work/setup.log" 2>&1 || die 'the installer'
	local home folder
	home=$(echo "$WINEPREFIX"/drive_c/users/*/AppData/Local/Programs)
	folder="$home/Agent Chat"
	for file in agentchat.exe uninstall.exe LICENSE.txt THIRD-PARTY-LICENSES.txt; do [[ -s $folder/$file ]] || die "windows: $file is not installed"; done
	cmp "$exe" "$folder/agentchat.exe" || die 'windows: another program was installed'
	"${wine[@]}" reg query 'HKCU\Software\Classes\.hwpx\OpenWithProgids' 2>/dev/null | grep -q AgentChat.Document || die 'windows: the types of files'
	"${wine[@]}" reg query 'HKCU\Software\Classes\AgentChat.Document\shell\open\command' 2>/dev/null | grep -q 'agentchat.exe' || die 'windows: how files are opened'
	"${wine[@]}" reg query 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Agent Chat' 2>/dev/null | grep -q "$version" || die 'windows: the list of programs'
	# Go asks Windows for random numbers through a library that older Wines have not; this one hands the question on.
	if [[ ! -e $WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll ]]; then
		printf '%s\n' '#include <windows.h>' 'BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);' \
			'__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T many) { return SystemFunction036(to, (ULONG)many); }' >"$work/prng.c"
		x86_64-w64-mingw32-gcc -shared -s -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" "$work/prng.c" -ladvapi32 || die 'windows: the library that Wine has not'
	fi
	"${wine[@]}" "$folder/agentchat.exe" --diagnose --save 'C:\report.zip' >"$work/wine-report.txt" 2>/dev/null || true
	[[ -s $WINEPREFIX/drive_c/report.zip ]] || die 'windows: the program does not run'
	# It copies itself away, to take itself away too, and that copy is what must be waited for.
	"${wine[@]}" "$folder/uninstall.exe" /S >/dev/null 2>&1 || die 'the uninstaller'
	timeout 300 wineserver -w || die 'the uninstaller does not end'
	[[ ! -e $folder/agentchat.exe ]] || die 'windows: the program is still there'
	! "${wine[@]}" reg query 'HKCU\Software\Classes\AgentChat.Document' >/dev/null 2>&1 || die 'windows: the registry still knows of it'
	! "${wine[@]}" reg query 'HKCU\Software\Classes\.hwpx' >/dev/null 2>&1 || die 'windows: the registry still knows of its types'
	wineserver -k || true
	say 'windows: installed, run and removed under Wine (the window needs WebView2, which Wine has not: NOT opened)'
}

mac() {
	tar -C "$work" -xzf "$DIST/agentchat-$version-macos-parts.tar.gz"
	python3 - "$work/agentchat-$version-macos-parts/Agent Chat.app/Contents" "$version" <<-'E' || die "the Mac's bundle"
		import plistlib, struct, sys
		folder, version = sys.argv[1:]
		p = plistlib.load(open(folder + '/Info.plist', 'rb'))
		assert p['CFBundleShortVersionString'] == version and p['CFBundleExecutable'] == 'agentchat', p
		assert any('hwpx' in t['CFBundleTypeExtensions'] for t in p['CFBundleDocumentTypes'])
		icon = open(folder + '/Resources/' + p['CFBundleIconFile'] + '.icns', 'rb').read()
		assert icon[:4] == b'icns' and struct.unpack('>I', icon[4:8])[0] == len(icon)
	E
	bash -n "$work/agentchat-$version-macos-parts/finish.sh"
	say "mac: the bundle's parts are whole; NOT linked, signed or run, as that takes a Mac"
}

sbom() {
	python3 - "$DIST/agentchat-$version.cdx.json" <<-'E' || die 'the list of what it is made of'
		import glob, json, lzma, sys
		b = json.load(open(sys.argv[1]))
		kinds = {c['purl'].split('/')[0] for c in b['components']}
		assert b['bomFormat'] == 'CycloneDX' and {'pkg:golang', 'pkg:npm'} <= kinds, kinds
		names = {c['name'] for c in b['components']}
		assert {'github.com/wailsapp/wails/v2', 'std', 'bits-ui'} <= names, names
		assert not [c['purl'] for c in b['components'] if '/./' in c['purl'] or 'devel' in c['purl']], names
		# Vite says what is in the page, and the licences that the program shows are of the same.
		page = {c['name'] + ' ' + c['version'] for c in b['components'] if c['purl'].startswith('pkg:npm')}
		shown = {p['name'] + ' ' + p['version'] for p in json.load(lzma.open('backend/about/licences.json.xz'))['parts'] if p['kind'] != 'go' and p.get('version')}
		assert any(n.startswith('svelte ') for n in page) and page == shown, sorted(page ^ shown)
		changed = {c['name'] for c in b['components'] if c.get('pedigree', {}).get('patches')}
		ours = {open(f).readline().split()[1] for f in glob.glob('lean/patches/*.diff') if open(f).readline().startswith('module ')}
		assert changed == ours | {'std'}, changed ^ ours
		print('package-test: sbom:', len(b['components']), 'components')
	E
}

export DIST=${DIST:-$PWD/dist}
for part; do
	began=$SECONDS
	case $part in
	twice | deb | archive | windows | mac | sbom) $part ;;
	rpm) rpm_ ;;
	done) done_ ;;
	*) die "what is $part?" ;;
	esac
	say "$part: passed in $((SECONDS - began)) s"
done
