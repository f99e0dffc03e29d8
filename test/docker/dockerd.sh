#!/bin/sh
# Runs dockerd in its own network namespace, with firewall rules (the default).
#   dockerd.sh <cache folder> <run folder> <control group>
set -eu
cache=$1 run=$2 group=$3
export LD_LIBRARY_PATH="$ENGINE_LIBS" XTABLES_LIBDIR="$ENGINE_XTABLES"

mount -t tmpfs tmpfs /run # keeps the engine's sockets, namespaces and plugins private
printf 'nameserver 198.19.255.3\n' >/run/resolv.conf
resolver=$(readlink -m /etc/resolv.conf)
# If resolv.conf is a symbolic link into /run (systemd-resolved), the tmpfs above hides its target.
if [ ! -e "$resolver" ]; then mkdir -p "$(dirname "$resolver")"; : >"$resolver"; fi
mount --bind /run/resolv.conf "$resolver"

# Debian's alternatives select no variant of the unpacked iptables, so this loop selects the variant that the kernel supports.
mkdir /run/bin
for flavour in nft legacy; do
  "iptables-$flavour" -t nat -n -L >/dev/null 2>&1 || continue
  ln -s "$(command -v "iptables-$flavour")" /run/bin/iptables
  ln -s "$(command -v "ip6tables-$flavour")" /run/bin/ip6tables
  break
done
# Debian's docker-init is an absolute symbolic link to tini, so it points outside the unpacked tree.
tini=$(command -v tini-static || command -v tini || true)
if [ -n "$tini" ]; then ln -s "$tini" /run/bin/docker-init; fi
export PATH="/run/bin:$PATH"

ip link set lo up
tries=0
until ip link show uplink >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ "$tries" -lt 500 ] || { echo "no uplink: slirp4netns did not start (needs /dev/net/tun)" >&2; exit 1; }
  sleep 0.02
done
# No default bridge: the lab names its own networks, and a build uses "network: host".
# Containers that ignore SIGTERM get 2 s when the engine ends.
exec dockerd --bridge=none --data-root "$cache/data" --exec-root /run/docker --pidfile /run/docker.pid \
  --host "unix://$run/docker.sock" --exec-opt native.cgroupdriver=cgroupfs --cgroup-parent "/$group" \
  --shutdown-timeout 2 --log-level warn
