#!/usr/bin/env bash
# The README's two commands on a machine that has nothing: a bare Debian in a folder, with Go and Node as they are here, a clone of
# what is committed, and empty caches. `fresh.sh [COMMAND …]`: by default `make run` and then `make test`. Needs root, debootstrap
# and room for about 8 GB in TMPDIR; KEEP=1 leaves the folder.
set -euo pipefail
cd "$(dirname "$0")/.."

die() {
	printf 'fresh: %s\n' "$*" >&2
	exit 1
}
(($(id -u) == 0)) || die "only root can change into another system's folder; please run it with sudo"
command -v debootstrap >/dev/null || die "please install debootstrap"
[[ -z $(git status --porcelain) ]] || printf 'fresh: what is not committed is not tested\n'
(($#)) || set -- 'make run' 'make test'

home=/srv # of who works in there
root=$(mktemp -d "${TMPDIR:-/tmp}/agentchat-fresh.XXXXXX")
chmod 755 "$root"
remove() { [[ -n ${KEEP:-} ]] && printf 'fresh: left in %s\n' "$root" || rm -rf --one-file-system "$root"; }
trap remove EXIT

printf 'fresh: a bare Debian in %s\n' "$root"
debootstrap --variant=minbase --include=ca-certificates,git,make "${SUITE:-bookworm}" "$root" >"$root.log" || die "debootstrap failed: $root.log"
rm "$root.log"
# What the README asks for, and this machine's way to the network.
cp -a "$(go env GOROOT)" "$root/usr/local/go"
install -D "$(command -v node)" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$(npm root -g)/npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
[[ -f /etc/npmrc ]] && cp /etc/npmrc "$root/usr/local/etc/"
[[ -f $HOME/.npmrc ]] && cp "$HOME/.npmrc" "$root$home/"
git clone --quiet . "$root$home/agentchat"

# In namespaces of its own the folder becomes the root of the file system (not a chroot, in which sandboxes cannot be made), and
# every process ends with the last command.
inside() {
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
		cd "$2/agentchat"
		exec env -i HOME="$2" LANG=C.UTF-8 TERM=dumb PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			GOTOOLCHAIN=local NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt bash -c "$1"
	' "$root" "$1" "$home" </dev/null
}

for command; do
	printf '\nfresh: ===== %s =====\n' "$command"
	began=$SECONDS
	inside "$command" || die "$command failed after $((SECONDS - began)) s"
	printf 'fresh: ===== %s: passed in %d s =====\n' "$command" $((SECONDS - began))
done
