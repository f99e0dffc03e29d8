#!/bin/sh
# First process in the engine's process and mount namespaces: starts an uplink for builds, then dockerd behind it.
#   namespace.sh <cache folder> <run folder> <control group>
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=$1 run=$2 group=$3

exec 3<&0
unshare --net sh "$here/dockerd.sh" "$cache" "$run" "$group" </dev/null &
dockerd=$!
while [ "$(readlink "/proc/$dockerd/ns/net")" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.02; done

# User-mode networking: the namespace reaches package mirrors without any route, firewall rule or sysctl on the machine.
LD_LIBRARY_PATH=$ENGINE_LIBS slirp4netns --configure --mtu=1500 --disable-host-loopback \
  --cidr=198.19.255.0/24 "$dockerd" uplink </dev/null &

(cat <&3 >/dev/null; kill -TERM "$dockerd") &
wait "$dockerd"
