#!/bin/sh
# Debian packages: a folder's packages.txt has those that it takes.
#   packages.sh list FOLDER...   those of these folders, and of the folders in them
#   packages.sh missing          of those on standard input, the ones that are not installed
#   packages.sh install          install them
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."

say() { echo "lab: $*" >&2; }
fail() { say "$*"; exit 3; }

list() { find "$@" -name packages.txt -exec sed 's/#.*//; /^ *$/d' {} + | sort -u; }

# Any Node.js will do, whoever installed it.
missing() {
    while read -r package; do
        [ "$package" = nodejs ] && command -v node >/dev/null && continue
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}

# A server's package starts it, where the lab's own is to listen: a policy forbids it meanwhile, see invoke-rc.d(8). The traps
# take it away when apt-get has ended, after Ctrl-C too.
apt_install() (
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        trap 'rm -f $policy' EXIT
        trap 'exit 130' INT TERM HUP
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod +x $policy
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" </dev/null >.lab/apt.log 2>&1
)

install() {
    packages=$(missing | xargs)
    [ -n "$packages" ] || exit 0
    command -v apt-get >/dev/null || fail "these Debian packages are missing, and this is no Debian: $packages"
    [ "$(id -u)" = 0 ] || fail "these Debian packages are missing: $packages
     install them, or run this once as root"
    say "installing $packages"
    mkdir -p .lab
    apt-get update -qq >&2 || say "apt-get update failed; trying with the old lists"
    # shellcheck disable=SC2086 # a word a package
    apt_install $packages || { tail -n 5 .lab/apt.log >&2; fail "apt-get install failed; .lab/apt.log has it all"; }
}

case ${1:-} in list | missing | install) "$@" ;; *) fail "packages.sh list FOLDER..., missing or install" ;; esac
