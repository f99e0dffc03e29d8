#!/bin/sh
# First process of the guest whose clock is virtual: memory where programs write, then the command that follows `--` on the
# kernel's command line, then power off. Its root is the host's file system, read-only.
#   con0: what the kernel and the command say; con1: the command's results
exec </dev/null >/dev/tty0 2>&1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/dev/shm TMPDIR=/dev/shm
# A set-user-id program of the host would drop the guest's root for its owner.
inside() { setpriv --no-new-privs "$@"; }
inside mount -t proc proc /proc
inside mount -t sysfs sysfs /sys
inside mount -t tmpfs tmpfs /run
mkdir /dev/shm
inside mount -t tmpfs tmpfs /dev/shm
ln -s /proc/self/fd /dev/fd
cd "$(dirname "$0")/.." || exit 1
if [ -d .lab/state ]; then
    cp -r .lab/state /dev/shm/state
    inside mount --bind /dev/shm/state .lab/state
fi
ip link set lo up
stty -F /dev/tty1 raw
inside "$@" >/dev/tty1 && { echo o >/proc/sysrq-trigger; sleep 9; }
exit 1
