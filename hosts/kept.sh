#!/bin/sh
# What takes minutes to make is made once for all checkouts of a user: kept in ~/.cache/pageload-lab/made, under its name and the
# SHA-256 of everything that it is made from. Remove that folder whenever you like.
#   kept.sh take NAME HASH FOLDER   make FOLDER with what was kept; fails, and leaves no folder, if there is nothing
#   kept.sh keep NAME HASH FOLDER   keep the content of FOLDER; without a home it keeps nothing
set -eu
verb=$1 folder=$4
cache=${XDG_CACHE_HOME:-${HOME:-/dev/null}/.cache}/pageload-lab/made
archive=$cache/$2-$3.tar.gz
unused_days=60

case $verb in
take)
    # Programs are run from it: another user's file is not taken.
    [ -O "$archive" ] || exit 1
    part=$(mktemp -d "$folder.XXXXXX" 2>/dev/null) || exit 1
    trap 'rm -rf "$part"' EXIT
    # gzip's checksum tells whether the file is damaged: then it is as if it were not there.
    tar -xzf "$archive" -C "$part" 2>/dev/null || { rm -f "$archive"; exit 1; }
    touch "$archive"
    mv -T "$part" "$folder" 2>/dev/null || [ -d "$folder" ] ;; # another process may have taken it meanwhile
keep)
    mkdir -p "$cache" 2>/dev/null && chmod 700 "$cache" || exit 0
    part=$(mktemp "$cache/part.XXXXXX")
    trap 'rm -f "$part"' EXIT
    tar -czf "$part" --owner=0 --group=0 -C "$folder" . && sync "$part" && mv "$part" "$archive" # there as a whole or not at all
    find "$cache" -type f -mtime +$unused_days -delete ;;
esac
