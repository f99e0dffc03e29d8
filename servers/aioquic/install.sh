#!/bin/sh
# Install aioquic (requirements.txt: its version and all it is made of are pinned there), unless it is there. A folder has main.py, the
# modules below lib, and a file that says what it was made from. There are two, because a module in C is one Python's:
#   .lab/programs/aioquic          for this machine's Python
#   .lab/programs/aioquic.guests   for that of the virtual clock's guests, the same on every machine (substrate/guest/lane-files.ts)
guest_python=3.13 # Debian 13's
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
source=$PWD/servers/aioquic
programs=$PWD/.lab/programs
python=/usr/bin/python3

# what was tried, why it failed, what to do
cannot() { printf 'aioquic: cannot %s: %s\n         %s\n' "$1" "$2" "$3" >&2; exit 3; }

$python -m pip --version >/dev/null 2>&1 || echo python3-pip | hosts/packages.sh install ||
    cannot "install it" "there is no pip for $python here" "install python3-pip, or ask for aioquic once as root"

mkdir -p "$programs"
work=$programs/aioquic.work log=$programs/aioquic.log
# One at a time; who waited finds it done.
exec 9>"$programs/aioquic.lock"
flock 9
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# install FOLDER PYTHON OPTION...: pip's options say for which Python, if it is not this machine's
install() {
    folder=$programs/$1 for_python=$2
    shift 2
    hash=$( (cat "$source"/main.py "$source"/requirements.txt "$source"/install.sh && echo "$for_python") | sha256sum | cut -d' ' -f1)
    # So it calls itself: a lane's line says which program it had.
    version="$(sed -n 's/^aioquic==\([^ ]*\).*/\1/p' "$source/requirements.txt") made from $(echo "$hash" | cut -c1-12), $for_python"
    [ "$(cat "$folder/version" 2>/dev/null)" != "$version" ] || return 0
    rm -rf "$work"
    if ! hosts/kept.sh take aioquic "$(uname -m)-$hash" "$work"; then
        mkdir "$work"
        echo "aioquic: installing it and its modules for $for_python (20 MB)" >&2
        $python -m pip install --disable-pip-version-check --root-user-action=ignore --require-hashes --only-binary :all: --no-compile \
            "$@" --target "$work/lib" --requirement "$source/requirements.txt" >"$log" 2>&1 ||
            cannot "install its modules" "$(grep -m 1 ERROR "$log" || tail -n 1 "$log")" "is a Python package index in reach (pip config list)? $log has it all"
        # Translated now, under the path that hosts have it at, and the same wherever and whenever that is. Another Python does so when it starts.
        [ $# != 0 ] || $python -m compileall -q -s "$work" -p /run/lab/programs/aioquic --invalidation-mode unchecked-hash "$work/lib" >>"$log" 2>&1 ||
            cannot "translate its modules" "$(tail -n 1 "$log")" "$log has it all"
        cp "$source/main.py" "$work"
        echo "$version" >"$work/version"
        chmod -R a+rX "$work"
        hosts/kept.sh keep aioquic "$(uname -m)-$hash" "$work"
    fi
    rm -rf "$folder" "$log"
    mv "$work" "$folder"
}

install aioquic "$($python --version)"
# Guests run on x86-64 alone.
[ "$(uname -m)" != x86_64 ] || install aioquic.guests "Python $guest_python" \
    --python-version "$guest_python" --implementation cp --platform manylinux_2_28_x86_64 --platform manylinux2014_x86_64
