#!/bin/sh
# First process of the guest whose clock is virtual: memory where programs write, then the command that follows `--` on the
# kernel's command line, then power off. Its root is the host's file system, read-only.
#   con0: what the kernel and the command say; con1: the command's results
exec </dev/null >/dev/tty0 2>&1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/dev/shm TMPDIR=/dev/shm
# Asked while /proc is still the host's, whose cwd is where the kernel was started.
checkout=$(cd "$(dirname "$0")/.." && pwd -P)
# A set-user-id program of the host would drop the guest's root for its owner.
inside() { setpriv --no-new-privs "$@"; }
inside mount -t proc proc /proc
inside mount -t sysfs sysfs /sys
inside mount -t tmpfs tmpfs /run
mkdir /dev/shm
inside mount -t tmpfs tmpfs /dev/shm
ln -s /proc/self/fd /dev/fd
# As little as can be of the checkout's own path is seen from here on, for loads would depend on where it lies. Nor may mount
# look at each of its folders: a system call that fails (this is no link) takes a microsecond.
mkdir /dev/shm/lab /dev/shm/own
inside mount --no-canonicalize --bind "$checkout" /dev/shm/lab
if [ -n "${LAB_OWN:-}" ]; then inside mount --no-canonicalize --bind "$checkout/$LAB_OWN" /dev/shm/own; fi
unset LAB_OWN
cd /dev/shm/lab || exit 1
if [ -d .lab/state ]; then
    [ -f /dev/shm/own/state ] || echo state >/dev/shm/own/state
    # What its lane needs of certificates and pages (guest.ts), or all where nobody says, in the order of names, whoever's they
    # are; cp would go by the host's inode numbers, and look at the clock more or less often. With names of owners tar would look
    # for them.
    tar -C .lab --sort=name --numeric-owner --create --files-from=/dev/shm/own/state | tar -C /dev/shm --extract --touch --no-same-owner
    inside mount --bind /dev/shm/state .lab/state
fi
ip link set lo up
stty -F /dev/tty1 raw
# In place of this shell, whose command line has the checkout's path. What a program reads of it would become part of its memory,
# so that its garbage collector looks at the clock more or less often: which takes time here.
exec setpriv --no-new-privs sh -c '"$@" >/dev/tty1 && { echo o >/proc/sysrq-trigger; sleep 9; }' init "$@"
