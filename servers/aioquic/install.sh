#!/bin/sh
# Install aioquic (requirements.txt: its version and all it is made of are pinned there), unless it is there:
# .lab/programs/aioquic has main.py, the modules below lib, and a file that says what it was made from.
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
source=$PWD/servers/aioquic
programs=$PWD/.lab/programs
python=/usr/bin/python3

# what was tried, why it failed, what to do
cannot() { printf 'aioquic: cannot %s: %s\n         %s\n' "$1" "$2" "$3" >&2; exit 3; }

$python -m pip --version >/dev/null 2>&1 || echo python3-pip | hosts/packages.sh install ||
    cannot "install it" "there is no pip for $python here" "install python3-pip, or ask for aioquic once as root"
# A module in C is one Python's.
hash=$( (cat "$source"/main.py "$source"/requirements.txt "$source"/install.sh && $python --version) | sha256sum | cut -d' ' -f1)
made_from=$(echo "$hash" | cut -c1-12)
# So it calls itself: a lane's line says which program it had.
version="$(sed -n 's/^aioquic==\([^ ]*\).*/\1/p' "$source/requirements.txt") made from $made_from, $($python --version)"
is_there() { [ "$(cat "$programs/aioquic/version" 2>/dev/null)" = "$version" ]; }
if is_there; then exit; fi

mkdir -p "$programs"
work=$programs/aioquic.work log=$programs/aioquic.log
# One at a time; who waited finds it done.
exec 9>"$programs/aioquic.lock"
flock 9
if is_there; then exit; fi
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
rm -rf "$work"
if ! hosts/kept.sh take aioquic "$(uname -m)-$hash" "$work"; then
    mkdir "$work"
    echo "aioquic: installing it and its modules (20 MB)" >&2
    $python -m pip install --disable-pip-version-check --root-user-action=ignore --require-hashes --only-binary :all: --no-compile \
        --target "$work/lib" --requirement "$source/requirements.txt" >"$log" 2>&1 ||
        cannot "install its modules" "$(grep -m 1 ERROR "$log" || tail -n 1 "$log")" "is a Python package index in reach (pip config list)? $log has it all"
    # Translated now, under the path that hosts have it at, and the same wherever and whenever that is.
    $python -m compileall -q -s "$work" -p /run/lab/programs/aioquic --invalidation-mode unchecked-hash "$work/lib" >>"$log" 2>&1 ||
        cannot "translate its modules" "$(tail -n 1 "$log")" "$log has it all"
    cp "$source/main.py" "$work"
    echo "$version" >"$work/version"
    chmod -R a+rX "$work"
    hosts/kept.sh keep aioquic "$(uname -m)-$hash" "$work"
fi
rm -rf "$programs/aioquic" "$log"
mv "$work" "$programs/aioquic"
