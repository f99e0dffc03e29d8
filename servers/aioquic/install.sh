#!/bin/sh
# Installs aioquic and its modules (requirements.txt pins all versions), unless they are installed. A folder has main.py, the modules
# (lib), and a file with the version. There are two folders, because a compiled module works with only one version of Python:
#   .lab/programs/aioquic          for this machine's Python
#   .lab/programs/aioquic.guests   for the Python of the virtual clock's guests, the same on every machine (substrate/guest/lane-files.ts)
guest_python=3.13 # Debian 13's
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
source=$PWD/servers/aioquic
programs=$PWD/.lab/programs
python=/usr/bin/python3

# cannot ACTION CAUSE ADVICE: prints why an action failed and what to do, and exits
cannot() { printf 'aioquic: cannot %s: %s\n         %s\n' "$1" "$2" "$3" >&2; exit 3; }

$python -m pip --version >/dev/null 2>&1 || echo python3-pip | hosts/packages.sh install ||
    cannot "install it" "$python has no pip" "install python3-pip, or start a run with aioquic once as root"

mkdir -p "$programs"
work=$programs/aioquic.work log=$programs/aioquic.log
# One process at a time. A process that waited finds the work done.
exec 9>"$programs/aioquic.lock"
flock 9
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# install FOLDER PYTHON OPTION...: with pip's options for another Python than this machine's
install() {
    folder=$programs/$1 for_python=$2
    shift 2
    hash=$( (cat "$source"/main.py "$source"/requirements.txt "$source"/install.sh && echo "$for_python") | sha256sum | cut -d' ' -f1)
    # The program prints this version, and each run records it.
    version="$(sed -n 's/^aioquic==\([^ ]*\).*/\1/p' "$source/requirements.txt") made from $(echo "$hash" | cut -c1-12), $for_python"
    [ "$(cat "$folder/version" 2>/dev/null)" != "$version" ] || return 0
    rm -rf "$work"
    if ! hosts/kept.sh take aioquic "$(uname -m)-$hash" "$work"; then
        mkdir "$work"
        echo "aioquic: installing it and its modules for $for_python (20 MB)" >&2
        $python -m pip install --disable-pip-version-check --root-user-action=ignore --require-hashes --only-binary :all: --no-compile \
            "$@" --target "$work/lib" --requirement "$source/requirements.txt" >"$log" 2>&1 ||
            cannot "install its modules" "$(grep -m 1 ERROR "$log" || tail -n 1 "$log")" "can this machine reach a Python package index (pip config list)? The full log is $log"
        # Compiles the modules, with their path on hosts and without time stamps, so the result is always the same. Guests' Python compiles at start.
        [ $# != 0 ] || $python -m compileall -q -s "$work" -p /run/lab/programs/aioquic --invalidation-mode unchecked-hash "$work/lib" >>"$log" 2>&1 ||
            cannot "compile its modules" "$(tail -n 1 "$log")" "the full log is $log"
        cp "$source/main.py" "$work"
        echo "$version" >"$work/version"
        chmod -R a+rX "$work"
        hosts/kept.sh keep aioquic "$(uname -m)-$hash" "$work"
    fi
    rm -rf "$folder" "$log"
    mv "$work" "$folder"
}

install aioquic "$($python --version)"
# Guests run only on x86-64.
[ "$(uname -m)" != x86_64 ] || install aioquic.guests "Python $guest_python" \
    --python-version "$guest_python" --implementation cp --platform manylinux_2_28_x86_64 --platform manylinux2014_x86_64
