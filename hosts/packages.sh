#!/bin/sh
# Debian packages. A folder's packages.txt lists the packages that it needs, one per line; "valkey-server | redis-server" means either.
#   packages.sh list FOLDER...   print the packages of these folders and their subfolders
#   packages.sh missing          read packages from standard input, print those that are not installed
#   packages.sh install          install those that are not installed
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."

say() { echo "lab: $*" >&2; }
fail() { say "$*"; exit 3; }

list() { find "$@" -name packages.txt -exec sed 's/#.*//; /^ *$/d' {} + | sort -u; }

# Any Node.js is enough, not only Debian's package.
is_there() {
    [ "$1" = nodejs ] && command -v node >/dev/null && return
    dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

# If no alternative is installed, prints the first one that this Debian release has.
missing() {
    while read -r line; do
        alternatives=$(echo "$line" | tr '|' ' ')
        for package in $alternatives; do is_there "$package" && continue 2; done
        for package in $alternatives; do [ -z "$(apt-cache madison "$package" 2>/dev/null)" ] || break; done
        echo "$package"
    done
}

# When a server is installed, Debian starts it, on ports that the lab needs. This policy forbids the start, see invoke-rc.d(8). The traps
# remove the policy when apt-get has ended, also after Ctrl-C.
apt_install() (
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        trap 'rm -f $policy' EXIT
        trap 'exit 130' INT TERM HUP
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod +x $policy
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends "$@" </dev/null >.lab/apt.log 2>&1
)

# Tries again while the package lists are locked, because a new machine may be updating them.
update() {
    for try in 1 2 3 4 5 6; do
        apt-get update -qq >.lab/apt.log 2>&1 && return
        grep -q 'Could not get lock' .lab/apt.log || break
        [ "$try" = 6 ] || sleep 30
    done
    tail -n 5 .lab/apt.log >&2
    say "apt-get update failed; trying with the old lists"
}

install() {
    packages=$(missing | xargs)
    [ -n "$packages" ] || exit 0
    command -v apt-get >/dev/null || fail "these Debian packages are missing, and this machine has no apt-get: $packages"
    [ "$(id -u)" = 0 ] || fail "these Debian packages are missing: $packages
     install them, or run this once as root"
    say "installing $packages"
    mkdir -p .lab
    update
    # shellcheck disable=SC2086 # each package is a word
    apt_install $packages || { tail -n 5 .lab/apt.log >&2; fail "apt-get install failed; see .lab/apt.log"; }
}

case ${1:-} in list | missing | install) "$@" ;; *) fail "packages.sh list FOLDER..., missing or install" ;; esac
