#!/bin/sh
# Gets a compiler of Debian 13, so that every machine makes the same programs. Its packages are unpacked into FOLDER, and not installed.
#   compiler.sh FOLDER PACKAGE...   FOLDER/bin then has a script that starts each program
# On any other Debian release, these programs need Debian 13's libraries. Each script starts its program with them.
release=trixie
set -eu
here=$(dirname "$(readlink -f "$0")")
folder=$1 tree=$1/tree bin=$1/bin
shift
debian() { "$here/debian.sh" apt "$folder" "$@"; }
# cannot WHAT ADVICE
cannot() { printf 'compiler: cannot %s\n          %s\n' "$1" "$2" >&2; exit 3; }

mkdir -p "$tree/usr/lib" "$tree/usr/lib64" "$bin"
ln -s usr/lib "$tree/lib"
ln -s usr/lib64 "$tree/lib64"
"$here/debian.sh" sources "$folder" $release $release-updates $release-security ||
    cannot "fetch it: apt here lists no Debian mirror" "build on a Debian 12 or 13"
{ debian apt-get update && debian apt-get install --download-only --yes "$@"; } >&2 ||
    cannot "fetch $*" "is the mirror in reach?"
for deb in "$folder"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$tree" --no-same-owner || cannot "unpack $(basename "$deb")" "is the disk full?"
    rm "$deb"
done
for name in cc1 collect2 gcc as ld ar objcopy strip rustc cargo; do
    program=$(find "$tree/usr/bin" "$tree/usr/libexec" ! -type d -name $name) options=
    [ -n "$program" ] || continue
    [ $name != gcc ] || options="--sysroot='$tree' -B'$bin/'"
    [ $name != rustc ] || options="--sysroot='$tree/usr'"
    cat >"$bin/$name" <<END
#!/bin/sh
export GCC_EXEC_PREFIX='$tree/usr/lib/gcc/'
exec '$tree/usr/lib64/ld-linux-x86-64.so.2' --argv0 $name --library-path '$tree/usr/lib/x86_64-linux-gnu' '$program' $options "\$@"
END
done
chmod +x "$bin"/*
