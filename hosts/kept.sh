#!/bin/sh
# A cache for programs and files that take minutes to build. All checkouts of a user share it. It is in ~/.cache/pageload-lab/made, under a
# name and the SHA-256 of everything that the program or file is built from. You can delete that folder at any time.
#   kept.sh take NAME HASH FOLDER   create FOLDER from the cache; fails and creates nothing if the cache lacks this name and hash
#   kept.sh keep NAME HASH FOLDER   put the content of FOLDER into the cache; does nothing without a home directory
set -eu
verb=$1 folder=$4
cache=${XDG_CACHE_HOME:-${HOME:-/dev/null}/.cache}/pageload-lab/made
archive=$cache/$2-$3.tar.gz
unused_days=60

case $verb in
take)
    # The archive contains programs that are run, so another user's file is not accepted.
    [ -O "$archive" ] || exit 1
    part=$(mktemp -d "$folder.XXXXXX" 2>/dev/null) || exit 1
    trap 'rm -rf "$part"' EXIT
    # Deletes a damaged archive, which gzip detects by its checksum.
    tar -xzf "$archive" -C "$part" 2>/dev/null || { rm -f "$archive"; exit 1; }
    touch "$archive"
    mv -T "$part" "$folder" 2>/dev/null || [ -d "$folder" ] ;; # another process may have created it meanwhile
keep)
    mkdir -p "$cache" 2>/dev/null && chmod 700 "$cache" || exit 0
    part=$(mktemp "$cache/part.XXXXXX")
    trap 'rm -f "$part"' EXIT
    tar -czf "$part" --owner=0 --group=0 -C "$folder" . && sync "$part" && mv "$part" "$archive" # atomic, so the archive is never incomplete
    find "$cache" -type f -mtime +$unused_days -delete ;;
esac
