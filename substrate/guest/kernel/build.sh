#!/bin/sh
# Builds the virtual clock's kernel (config, changes.patch), unless it exists, and prints its path. Needs no root privileges, and no
# network except apt's mirror.
#   build.sh [--path]     --path: print its path without building it (it may be copied from another checkout: hosts/kept.sh)
#
# On every Debian release, the source is that of Debian 13's backports. Debian 12's own kernel 6.1 also boots with time-travel=inf-cpu and
# runs the whole lab, but it lacks `netem seed`, and a load takes 4.2 CPU seconds with its ptrace instead of 2.0 with seccomp=on (since
# 6.16). The compiler is also Debian 13's (packages.txt), unpacked but not installed, so that every machine builds the same kernel,
# byte for byte.
release=trixie
package=linux-source-7.2
set -eu
here=substrate/guest/kernel
cd "$(dirname "$(readlink -f "$0")")/../../.."
PATH=$PATH:/usr/sbin:/sbin
lab=$PWD
cache=$lab/.lab/kernel
config=$PWD/$here/config changes=$PWD/$here/changes.patch
made_from=$({ uname -m && grep -v '^ *#' "$config" && cat "$changes" && grep -v '^ *#' $here/build.sh; } | sha256sum | cut -c1-12)
target=$cache/$made_from/linux
if [ -x "$target" ]; then echo "$target" && exit; fi
mkdir -p "$cache" 2>/dev/null || :
if hosts/kept.sh take kernel "$made_from" "${target%/linux}" || [ "${1:-}" = --path ]; then echo "$target" && exit; fi

started=$(date +%s)
say() { echo "kernel: $(($(date +%s) - started)) s: $*" >&2; }
# cannot WHAT WHY ADVICE
cannot() { printf 'kernel: cannot %s: %s\n        %s\n' "$1" "$2" "$3" >&2; exit 3; }

needs() {
    [ "$(uname -m)" = x86_64 ] || cannot "build it" "user-mode Linux requires x86-64, and this machine is $(uname -m)" "the real clock needs no such kernel"
    command -v apt-get >/dev/null || cannot "build it" "its source is a Debian package, and this system has no apt-get" "copy .lab/kernel from a Debian 12 or 13"
    free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
    [ "$free" -ge 2000 ] || cannot "build it" "$free MiB are free in .lab; building needs 2000 for some minutes" "free some space"
}

debian() { hosts/debian.sh apt "$work" "$@" 2>>"$log"; }

fetch() {
    hosts/debian.sh sources "$work" $release $release-updates $release-security $release-backports ||
        cannot "fetch $package" "apt here lists no Debian mirror" "copy .lab/kernel from a Debian 12 or 13"
    # shellcheck disable=SC2046 # one word per package
    { debian apt-get update && debian apt-get install --download-only --yes $package $(hosts/packages.sh list $here); } ||
        cannot "fetch $package and its compiler" "$(grep -m 1 '^E:' "$log")" "can this machine reach the mirror? The full log is $log"
}

# Programs of another Debian release need the libraries of that release. Each script in bin starts a program with them.
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

# Leaves out about half of the files, which a user-mode kernel does not compile.
unpack_source() {
    mkdir "$work/source"
    dpkg-deb --fsys-tarfile "$work"/cache/archives/${package}_*.deb | tar -xO "./usr/src/$package.tar.xz" |
        tar -x -I 'xz -T0' -C "$work/source" --strip-components=1 --wildcards --exclude='*/drivers/gpu/drm/*.[ch]' \
        --exclude='*/drivers/net/*/*.[ch]' --exclude='*/sound/*.[ch]' --exclude='*/Documentation/*/*' --exclude='*/tools/testing/*' \
        --exclude='*.dts*' 2>>"$log" || cannot "unpack $package" "$(tail -n 1 "$log")" "start again; is the disk full?"
    patch -s -p1 -d "$work/source" <"$changes" >>"$log" 2>&1 || cannot "build it" "$here/changes.patch does not fit $package" "look at $log"
}

# Nothing specific to this machine goes into the kernel: no host name, no time of day, and no version of Rust or pahole, which the kernel's
# configuration would name. Programs that the build runs are linked statically, independent of this machine's libraries.
make_linux() {
    make -C "$work/source" ARCH=um KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=lab KBUILD_BUILD_HOST=lab \
        RUSTC=none BINDGEN=none PAHOLE=none HOSTLDFLAGS=-static -j"$(nproc)" "$@" >>"$log" 2>&1 &
    wait $! || cannot "build it" "make $* failed: $(grep -iE 'error|not found' "$log" | head -n 1)" "its output is in $log"
}

configure() {
    make_linux KCONFIG_ALLCONFIG="$config" allnoconfig
    grep ^CONFIG_ "$config" | while read -r line; do
        grep -qx "$line" "$work/source/.config" || cannot "build it" "$line has no effect in $package" "correct this option in $here/config"
    done
}

mkdir -p "$cache"
work=$cache/work log=$cache/build.log tree=$cache/work/tree bin=$cache/work/bin
# One build at a time; a process that has waited finds the result. After a kill -9 the lock is held until the compilers end.
exec 9>"$cache/lock"
flock -n 9 || { say "waiting for another build" && flock 9; }
if [ -x "$target" ]; then echo "$target" && exit; fi
needs
trap 'rm -rf "$work"' EXIT
# make runs in the background, where this script can end it on Ctrl-C; in the foreground the script would wait for it.
trap '[ -z "${!:-}" ] || kill $! 2>/dev/null; wait; exit 130' INT TERM HUP
rm -rf "$work"
mkdir "$work"
: >"$log"
say "fetching $package and its compiler (220 MB)"
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
mv -T "$work/made" "${target%/linux}" # a rename, so that it exists completely or not at all
say "done"
echo "$target"
