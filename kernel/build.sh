#!/bin/sh
# Build the kernel of the virtual clock (config, changes.patch), unless it is there, and print where it lies. No root, no network but apt's mirror.
#   build.sh [--path]     --path: print where it would lie, build nothing (but take it, if another checkout has built it: hosts/kept.sh)
#
# Which source: Debian 12's own 6.1, built from this configuration, boots with time-travel=inf-cpu and runs the whole lab too
# (three-level page tables are enough), but it has ptrace alone: 4.2 CPU seconds a load where seccomp=on (from 6.16) takes 2.0,
# and no `netem seed`. So on either Debian the source is that of Debian 13's backports, and so is all that compiles it Debian 13's
# (packages.txt), unpacked beside it: the kernel is the same, byte for byte, whatever this machine has.
release=trixie
package=linux-source-7.2
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
PATH=$PATH:/usr/sbin:/sbin
lab=$PWD
cache=$lab/.lab/kernel
config=$PWD/kernel/config changes=$PWD/kernel/changes.patch
target=$cache/$({ echo $release $package && grep ^CONFIG_ "$config" && cat "$changes"; } | sha256sum | cut -c1-12)/linux
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
    free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge 2000 ] || cannot "build it" "$free MiB are free in .lab; building takes 2000 for some minutes" "make room"
}

debian() { hosts/debian.sh apt "$work" "$@" 2>>"$log"; }

fetch() {
    hosts/debian.sh sources "$work" $release $release-updates $release-security $release-backports ||
        cannot "fetch $package" "apt here lists no Debian mirror" "copy .lab/kernel from a Debian 12 or 13"
    # shellcheck disable=SC2046 # a word a package
    { debian apt-get update && debian apt-get install --download-only --yes $package $(hosts/packages.sh list kernel); } ||
        cannot "fetch $package and its compiler" "$(grep -m 1 '^E:' "$log")" "is the mirror in reach? $log has it all"
}

# A program of another Debian needs that one's libraries: the scripts in bin start each with them.
unpack_compiler() {
    mkdir "$tree" "$bin"
    for deb in "$work"/cache/archives/*.deb; do
        case $deb in */linux-source-*) continue ;; esac
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$tree" --no-same-owner 2>>"$log" ||
            cannot "unpack $(basename "$deb")" "$(tail -n 1 "$log")" "start again; is the disk full?"
    done
    for name in cc1 collect2 gcc as ld ar nm objcopy objdump strip readelf make flex bison m4 bc patch xz; do
        program=$(find "$tree/usr/bin" "$tree/usr/libexec" ! -type d -name $name) options=
        [ "$name" != gcc ] || options="--sysroot='$tree' -B'$bin/'"
        cat >"$bin/$name" <<END
#!/bin/sh
exec '$tree/usr/lib64/ld-linux-x86-64.so.2' --argv0 $name --library-path '$tree/usr/lib/x86_64-linux-gnu' '$program' $options "\$@"
END
    done
    chmod +x "$bin"/*
    export PATH="$bin:$PATH" GCC_EXEC_PREFIX="$tree/usr/lib/gcc/" M4=m4 BISON_PKGDATADIR="$tree/usr/share/bison"
}

# Without most of what no user-mode kernel compiles: half of the files.
unpack_source() {
    mkdir "$work/source"
    dpkg-deb --fsys-tarfile "$work"/cache/archives/${package}_*.deb | tar -xO "./usr/src/$package.tar.xz" |
        tar -x -I 'xz -T0' -C "$work/source" --strip-components=1 --wildcards --exclude='*/drivers/gpu/drm/*.[ch]' \
        --exclude='*/drivers/net/*/*.[ch]' --exclude='*/sound/*.[ch]' --exclude='*/Documentation/*/*' --exclude='*/tools/testing/*' \
        --exclude='*.dts*' 2>>"$log" || cannot "unpack $package" "$(tail -n 1 "$log")" "start again; is the disk full?"
    patch -s -p1 -d "$work/source" <"$changes" >>"$log" 2>&1 || cannot "build it" "kernel/changes.patch does not fit $package" "look at $log"
}

# No machine's name and no time of the day in it. What it compiles for its own use runs here, with no library of here.
make_linux() {
    make -C "$work/source" ARCH=um KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=lab KBUILD_BUILD_HOST=lab HOSTLDFLAGS=-static \
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
work=$cache/work log=$cache/build.log tree=$cache/work/tree bin=$cache/work/bin
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
say "fetching $package and what compiles it (220 MB)"
fetch
say "unpacking them"
unpack_compiler
unpack_source
say "compiling (2 to 3 minutes on 2 cores)"
configure
make_linux linux
mkdir -p "$work/made"
mv "$work/source/linux" "$work/made"
hosts/kept.sh keep kernel "$made_from" "$work/made"
mv -T "$work/made" "${target%/linux}" # a rename: it is there as a whole or not at all
say "done"
echo "$target"
