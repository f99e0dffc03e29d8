#!/bin/sh
# Builds the root file system of the virtual clock's guests, unless it exists, and prints its folder. It has all programs that run inside,
# from Debian 13's packages, on any Debian. Needs no root rights, and no network except apt's mirror.
#   build.sh [--path]     --path: print the path of its folder without building it
#
# The folder has the image (an EROFS file system), its SHA-256, and the list of packages with their versions and SHA-256. The same
# packages give the same image: no maintainer script runs, and all files have the same owner, time and mode.
release=trixie
set -eu
umask 022
here=substrate/guest/root
cd "$(dirname "$(readlink -f "$0")")/../../.."
PATH=$PATH:/usr/sbin:/sbin
lab=$PWD
names() { hosts/packages.sh list harness servers clients substrate/packages.txt $here; }
made_from=$({ echo $release && names && cat $here/build.sh $here/init.sh; } | sha256sum | cut -c1-12)
target=$lab/.lab/root/$made_from
# A copy for the user's other checkouts: a hard link to the same file or, on another disk, a real copy. (hosts/kept.sh would compress it again.)
kept=${XDG_CACHE_HOME:-${HOME:-/dev/null}/.cache}/pageload-lab/made/root-$made_from
same_file() { mkdir "$2" 2>/dev/null && { cp --link "$1"/* "$2" || cp "$1"/* "$2"; } 2>/dev/null; }
take_kept() {
    [ -O "$kept/image" ] && mkdir -p .lab/root && part=$(mktemp -u "$target.XXXXXX") && same_file "$kept" "$part" || return 1
    mv -T "$part" "$target" 2>/dev/null || rm -r "$part" # another process may have taken it meanwhile
}
if [ -e "$target/image" ] || take_kept || [ "${1:-}" = --path ]; then echo "$target" && exit; fi

started=$(date +%s)
say() { echo "root: $(($(date +%s) - started)) s: $*" >&2; }
# cannot WHAT WHY ADVICE
cannot() { printf 'root: cannot %s: %s\n      %s\n' "$1" "$2" "$3" >&2; exit 3; }

mkdir -p "$lab/.lab/root"
work=$lab/.lab/root/work log=$lab/.lab/root/build.log tree=$lab/.lab/root/work/tree
# One build at a time; a process that waited finds the result.
exec 9>"$lab/.lab/root/lock"
flock -n 9 || { say "waiting for another build" && flock 9; }
if [ -e "$target/image" ]; then echo "$target" && exit; fi
[ "$(uname -m)" = x86_64 ] || cannot "build it" "the virtual clock requires x86-64, and this machine is $(uname -m)" "the real clock needs no such root file system"
command -v apt-get >/dev/null || cannot "build it" "it consists of Debian packages, and this system has no apt-get" "copy .lab/root from a Debian 12 or 13"
free=$(df -Pm .lab | awk 'NR == 2 { print $4 }')
[ "$free" -ge 3500 ] || cannot "build it" "$free MiB are free in .lab; building needs 3500 for some minutes" "free some space"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
rm -rf "$work"
mkdir -p "$work/made" "$tree"
: >"$log"
debian() { hosts/debian.sh apt "$work" "$@" 2>>"$log"; }

# Packages that this release lacks are left out; a run with a server that needs them is refused before it starts.
fetch() {
    hosts/debian.sh sources "$work" $release $release-updates $release-security ||
        cannot "fetch its packages" "apt here lists no Debian mirror" "copy .lab/root from a Debian 12 or 13"
    debian apt-get update || cannot "fetch the lists of $release" "$(tail -n 1 "$log")" "can this machine reach the mirror?"
    debian apt-cache dumpavail >"$work/available"
    names >"$work/names"
    # shellcheck disable=SC2046 # one word per package
    debian apt-get install --download-only --yes $(sed -n 's/^Package: //p' "$work/available" | grep -Fxf "$work/names" | sort -u) ||
        cannot "fetch its packages" "$(grep -m 1 '^E:' "$log")" "can this machine reach the mirror? The full log is $log"
}

# Files that no guest reads: texts for people, drivers of graphics cards with their compiler, Perl's modules.
unread() {
    printf './usr/%s\n' 'share/doc/*' 'share/man/*' 'share/locale/*' 'share/icons/*' 'share/perl/*' 'lib/*/perl/*' \
        'lib/*/libLLVM*' 'lib/*/libz3*' 'lib/*/libgallium*' 'lib/*/dri/*' 'lib/chromium/libVkLayer*'
}

# base-files comes first, because it has the links /lib -> /usr/lib.
unpack() {
    unread >"$work/unread"
    for deb in "$work"/cache/archives/base-files_*.deb $(printf '%s\n' "$work"/cache/archives/*.deb | grep -v /base-files_ | LC_ALL=C sort); do
        echo "$(dpkg-deb --field "$deb" Package) $(dpkg-deb --field "$deb" Version) $(sha256sum <"$deb" | cut -d' ' -f1)" >>"$work/made/packages"
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$tree" --no-same-owner --exclude-from="$work/unread" 2>>"$log" ||
            cannot "unpack $(basename "$deb")" "$(tail -n 1 "$log")" "start again; is the disk full?"
        rm "$deb"
    done
}

# Creates the files that guests need and that maintainer scripts would have created.
configure() {
    mkdir -p "$tree/proc" "$tree/sys" "$tree/dev" "$tree/run" "$tree/tmp" "$tree/root"
    echo 'root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin' >"$tree/etc/passwd"
    echo 'root:x:0:
nogroup:x:65534:' >"$tree/etc/group"
    echo '127.0.0.1 localhost' >"$tree/etc/hosts"
    : >"$tree/etc/resolv.conf"
    echo 'passwd: files
group: files
hosts: files' >"$tree/etc/nsswitch.conf"
    # init.sh creates this cache, because ldconfig would need root rights to create it for another root.
    ln -s /dev/shm/ld.so.cache "$tree/etc/ld.so.cache"
    cp $here/init.sh "$tree/init"
}

# Uses mkfs.erofs from the same packages, so that the result is the same on any Debian.
make_image() {
    tar -c --sort=name --format=gnu --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$tree" . |
        "$tree/lib64/ld-linux-x86-64.so.2" --library-path "$tree/usr/lib/x86_64-linux-gnu" "$tree/usr/bin/mkfs.erofs" \
            --quiet --tar=f -zlz4 -T0 --all-time -U00000000-0000-0000-0000-000000000001 --workers=1 "$work/made/image" >>"$log" 2>&1 ||
        cannot "make an image of it" "$(tail -n 1 "$log")" "start again; is the disk full?"
    sha256sum "$work/made/image" | cut -d' ' -f1 >"$work/made/sha256"
}

say "fetching Debian 13's packages (450 MB)"
fetch
say "unpacking them"
unpack
configure
say "building an image of them"
make_image
if mkdir -p "${kept%/*}" 2>/dev/null; then
    rm -rf "$kept.part" "$kept"
    if same_file "$work/made" "$kept.part"; then mv -T "$kept.part" "$kept"; fi
fi
find .lab/root -mindepth 1 -maxdepth 1 -type d ! -name work ! -name 'file-*' -exec rm -r --one-file-system {} + # from older lists of packages; file-* belong to --root
mv -T "$work/made" "$target" # a rename, so that it exists completely or not at all
say "done"
echo "$target"
