#!/usr/bin/env bash
# Makes this computer ready: `setup.sh run` for the window, `setup.sh test` for everything, `setup.sh package` and
# `setup.sh package-test` for packages. On Debian and Ubuntu missing
# system packages are named and installed; elsewhere they are listed. Does nothing, quickly, where nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

purpose=${1:-run}
display=${DISPLAY:-}${WAYLAND_DISPLAY:-}

die() {
	printf 'setup: %s\n' "$*" >&2
	exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

check_languages() {
	local missing=()
	has go || missing+=("Go 1.26 or newer (go.dev/dl)")
	has node || missing+=("Node.js 20 or newer (nodejs.org)")
	has npm || missing+=("npm (comes with Node.js)")
	if has node && (($(node -p 'process.versions.node.split(".")[0]') < 20)); then
		missing+=("Node.js 20 or newer (this is $(node --version))")
	fi
	if ((${#missing[@]})); then
		printf 'setup: please install first:\n' >&2
		printf '  - %s\n' "${missing[@]}" >&2
		exit 1
	fi
	go list -m >/dev/null || die "this Go cannot build the project; go.mod says which version it needs."
}

# What each purpose needs, as Debian names it.
window=(build-essential pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev fonts-noto-cjk gstreamer1.0-plugins-base gstreamer1.0-plugins-good)
sandbox=(bubblewrap)
screen=(xvfb xauth dbus openbox wmctrl xclip xdotool scrot webkit2gtk-driver)
desktop=(xfce4-panel dunst desktop-file-utils x11-utils at-spi2-core) # a real tray, real notifications, what a screen reader hears; tests that find them missing are skipped
reading=(tesseract-ocr tesseract-ocr-kor) # pictures of text, likewise
packaging=(nsis osslsigncode gettext-base cmake ninja-build g++)
installing=(xvfb xauth xdotool scrot x11-utils debootstrap rpm lintian appstream desktop-file-utils icoutils unzip python3 man-db openssl wine wine64 gcc-mingw-w64-x86-64-win32)
office=(libreoffice-writer libreoffice-calc poppler-utils) # what is exported is opened with these, likewise

needed() {
	printf '%s\n' "${window[@]}" "${sandbox[@]}"
	[[ $purpose != package* ]] || printf '%s\n' "${packaging[@]}"
	[[ $purpose != package-test ]] || printf '%s\n' "${installing[@]}"
	[[ $purpose != package* ]] || return 0
	[[ $purpose == run && -n $display ]] || printf '%s\n' "${screen[@]}"
	[[ $purpose == run ]] || { printf '%s\n' "${desktop[@]}" "${reading[@]}" "${office[@]}" && browser_package; }
}

# Chromium without a window of its own does the same tests with little more than half the processor, so it comes first where there is
# such a package. Ubuntu's `chromium` package is an empty shell around a snap, so there any Chromium or Chrome that is there will do.
browser_package() {
	local name
	[[ -n ${CHROMIUM:-} ]] && return
	if has chromium-headless-shell; then return; fi
	if [[ -n $(apt-cache show chromium-headless-shell 2>/dev/null) ]]; then
		echo chromium-headless-shell
		return
	fi
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		has "$name" && return
	done
	# Not in a pipe: a reader that stops at the first line would end apt-cache with SIGPIPE, which `pipefail` takes for "no".
	if [[ -n $(apt-cache show chromium 2>/dev/null) ]]; then echo chromium; else echo chromium-browser; fi
}

missing_packages() {
	local package
	for package in $(needed); do
		[[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || printf '%s\n' "$package"
	done
}

install_packages() {
	local missing as_root=()
	mapfile -t missing < <(missing_packages)
	((${#missing[@]})) || return 0
	printf 'setup: missing system packages: %s\n' "${missing[*]}"
	if (($(id -u) != 0)); then
		has sudo || die "neither root nor sudo; please run: apt-get install ${missing[*]}"
		as_root=(sudo)
	fi
	printf 'setup: installing them with apt-get\n'
	"${as_root[@]}" apt-get update -qq || die "apt-get could not read its package lists; mend that (its own words are above) and try again."
	# Asked again: on a machine that never ran `update`, the browser's package name could not be looked up before.
	mapfile -t missing < <(missing_packages)
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
		die "apt-get could not install these; please look at its own words above: ${missing[*]}"
}

# What is not needed and yet missed: the page's own type has no pictures.
recommend() {
	[[ $(dpkg-query -W -f='${db:Status-Status}' fonts-noto-color-emoji 2>/dev/null || true) == installed ]] ||
		printf 'setup: recommended, so that emoji are more than boxes: apt-get install fonts-noto-color-emoji\n'
}

# Other systems: say what is not there by what it is, since package names differ.
list_missing() {
	local missing=() library tool
	if ! has pkg-config; then
		missing+=("pkg-config")
	else
		for library in gtk+-3.0 webkit2gtk-4.1; do
			pkg-config --exists "$library" || missing+=("the development files of $library")
		done
	fi
	has cc || missing+=("a C compiler (cc)")
	if [[ $purpose == test || -z $display ]]; then
		for tool in Xvfb dbus-daemon openbox wmctrl xclip xdotool scrot WebKitWebDriver; do
			has "$tool" || missing+=("$tool")
		done
	fi
	if [[ $purpose == test && -z ${CHROMIUM:-} ]]; then
		has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome || has google-chrome-stable || missing+=("Chromium (or set CHROMIUM to its path)")
	fi
	((${#missing[@]})) || return 0
	printf 'setup: this is not Debian or Ubuntu, so please install these yourself:\n' >&2
	printf '  - %s\n' "${missing[@]}" >&2
	printf '  and a Korean font, an emoji font, and the base and good plugins of GStreamer 1.0 for sound\n' >&2
	exit 1
}

[[ $purpose == run || $purpose == test || $purpose == package || $purpose == package-test ]] || die "usage: setup.sh run|test|package|package-test"
check_languages
case "$(uname -s)" in
Linux) if has apt-get && has dpkg-query; then install_packages; recommend; else list_missing; fi ;;
*) die "the window is built and tested on Linux; for Windows, \`make windows\` cross-builds it, and \`make headless\` works anywhere." ;;
esac
make --no-print-directory frontend/node_modules/.installed e2e/node_modules/.installed
