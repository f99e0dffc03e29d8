#!/bin/sh
# Runs a separate Docker engine in the foreground until stdin ends, that is, until the process at the other end of the pipe ends.
#   engine.sh <cache folder> <run folder, with a short path, because it contains the socket>
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=$1 run=$2 group=$(basename "$2")
umask 022
mkdir -p "$cache"

# One engine per cache folder: two dockerds must not share a data root. Children inherit the lock's descriptor.
exec 9>"$cache/lock"
flock --nonblock 9 || { echo "waiting for another engine in $cache" >&2; flock --wait 1800 9; }
: >"$cache/engine.log"

sh "$here/packages.sh" "$cache"
# shellcheck source=/dev/null
. "$cache/paths.sh"
sh "$here/base-image.sh" "$cache"

# Mounts, network devices, firewall rules, ip_forward and processes all belong to namespaces that end with their
# first process. This cleans up even after a crash. Only control groups and files remain to be removed.
status=0
unshare --pid --mount --fork --kill-child=KILL --mount-proc \
  sh "$here/namespace.sh" "$cache" "$run" "$group" || status=$?
find /sys/fs/cgroup -depth -type d -path "*/$group*" -exec rmdir {} + 2>/dev/null || true
rm -rf "$run"
exit "$status"
