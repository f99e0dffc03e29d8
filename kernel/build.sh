#!/bin/sh
# Build the kernel of the virtual clock (config, changes.patch), unless it is there, and print where it lies. No root, no network but apt's mirror.
#   build.sh [--path]     --path: print where it would lie, build nothing (but take it, if another checkout has built it: hosts/kept.sh)
#
# Which source: Debian 12's own 6.1, built from this configuration, boots with time-travel=inf-cpu and runs the whole lab too
# (three-level page tables are enough), but it has ptrace alone: 4.2 CPU seconds a load where seccomp=on (from 6.16) takes 2.0,
# and no `netem seed`. So on either Debian the source is that of Debian 13's backports.
suite=trixie-backports
package=linux-source-7.2
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
PATH=$PATH:/usr/sbin:/sbin
lab=$PWD
cache=$lab/.lab/kernel
config=$PWD/kernel/config changes=$PWD/kernel/changes.patch
target=$cache/$({ echo $suite $package && grep ^CONFIG_ "$config" && cat "$changes"; } | sha256sum | cut -c1-12)/linux
if [ -x "$target" ]; then echo "$target" && exit; fi
made_from=$({ uname -m && cat "$config" "$changes" kernel/build.sh; } | sha256sum | cut -d' ' -f1)
mkdir -p "$cache" 2>/dev/null || :
if hosts/kept.sh take kernel "$made_from" "${target%/linux}" || [ "${1:-}" = --path ]; then echo "$target" && exit; fi

started=$(date +%s)
say() { echo "kernel: $(($(date +%s) - started)) s: $*" >&2; }
# what was tried, why it failed, what to do
cannot() { printf 'kernel: cannot %s: %s\n        %s\n' "$1" "$2" "$3" >&2; exit 3; }

needs() {
    [ "$(uname -m)" = x86_64 ] || cannot "build it" "user-mode Linux is for x86-64, and this is $(uname -m)" "the real clock needs no such kernel"
    command -v apt-get >/dev/null || cannot "build it" "its source comes by apt, and this is no Debian" "copy .lab/kernel from a Debian 12 or 13"
    missing=$(hosts/packages.sh list kernel | hosts/packages.sh missing | xargs)
    [ -z "$missing" ] || cannot "build it" "these Debian packages are missing: $missing" \
        "install them, or use --clock virtual once as root: ./lab run --clock virtual"
    free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge 1500 ] || cannot "build it" "$free MiB are free in .lab; building takes 1500 for some minutes" "make room"
}

other_suite() { "$lab/hosts/debian.sh" apt "$work" "$@" 2>>"$log"; }

fetch() {
    hosts/debian.sh sources "$work" $suite ||
        cannot "fetch $package" "apt here lists no Debian mirror" "install a $package, or copy .lab/kernel from a Debian 12 or 13"
    { other_suite apt-get update && (cd "$work" && other_suite apt-get download $package); } || cannot "fetch $package of $suite" \
        "$(tail -n 1 "$log")" "is the mirror in reach? Kernel sources that apt lists there: $(other_suite apt-cache search '^linux-source-[0-9]' | cut -d' ' -f1 | xargs)"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -xO "./usr/src/$package.tar.xz" >"$work/source.tar.xz"
    rm "$work/$package"_*.deb
}

# Without most of what no user-mode kernel compiles: half of the files.
unpack() {
    mkdir "$work/source"
    tar -x -I 'xz -T0' -f "$1" -C "$work/source" --strip-components=1 --wildcards --exclude='*/drivers/gpu/drm/*.[ch]' \
        --exclude='*/drivers/net/*/*.[ch]' --exclude='*/sound/*.[ch]' --exclude='*/Documentation/*/*' --exclude='*/tools/testing/*' \
        --exclude='*.dts*' 2>>"$log" || cannot "unpack $package" "$(tail -n 1 "$log")" "start again; is the disk full?"
    patch -s -p1 -d "$work/source" <"$changes" >>"$log" 2>&1 || cannot "build it" "kernel/changes.patch does not fit $package" "look at $log"
}

# No machine's name and no time of the day in it.
make_linux() {
    make -C "$work/source" ARCH=um KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=lab KBUILD_BUILD_HOST=lab \
        -j"$(nproc)" "$@" >>"$log" 2>&1 &
    wait $! || cannot "build it" "make $* failed: $(grep -iE 'error|not found' "$log" | head -n 1)" "all it said is in $log"
}

configure() {
    make_linux KCONFIG_ALLCONFIG="$config" allnoconfig
    grep ^CONFIG_ "$config" | while read -r line; do
        grep -qx "$line" "$work/source/.config" || cannot "build it" "$package does not take $line" "kernel/config asks for what it does not have"
    done
}

mkdir -p "$cache"
work=$cache/work log=$cache/build.log
# One build at a time; who waited finds it done. The lock outlives a killed script as long as its compilers do.
exec 9>"$cache/lock"
flock -n 9 || { say "waiting for a build that is under way" && flock 9; }
if [ -x "$target" ]; then echo "$target" && exit; fi
needs
trap 'rm -rf "$work"' EXIT
# A background make ignores Ctrl-C; and in the foreground this script would wait for it.
trap '[ -z "${!:-}" ] || kill $! 2>/dev/null; wait; exit 130' INT TERM HUP
rm -rf "$work"
mkdir "$work"
: >"$log"
source=/usr/src/$package.tar.xz
[ -e "$source" ] || { say "fetching $package (160 MB)" && fetch && source=$work/source.tar.xz; }
say "unpacking"
unpack "$source"
say "compiling (2 to 3 minutes on 2 cores)"
configure
make_linux linux
mkdir -p "$work/made"
mv "$work/source/linux" "$work/made"
hosts/kept.sh keep kernel "$made_from" "$work/made"
mv -T "$work/made" "${target%/linux}" # a rename: it is there as a whole or not at all
say "done"
echo "$target"
