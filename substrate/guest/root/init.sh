#!/bin/sh
# The first process of a guest. Its root is the image from build.sh, read-only; the lane's files come in an archive, and everything that
# is written stays in memory. It runs the command after `--` on the kernel's command line, then powers off.
#   con0: messages of the kernel and of the command; con1: the command's results
exec </dev/null >/dev/tty0 2>&1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/dev/shm TMPDIR=/dev/shm
mount -t proc proc /proc
mount -t sysfs sysfs /sys
# For its I/O statistics the kernel reads the clock, which takes time. How often depends on which pages of which libraries are read.
for disk in /sys/block/ubd*/queue/iostats; do echo 0 >"$disk"; done
mount -t tmpfs tmpfs /run
mkdir /dev/shm
mount -t tmpfs tmpfs /dev/shm
ln -s /proc/self/fd /dev/fd
ldconfig -C /dev/shm/ld.so.cache
mkdir /dev/shm/lab
cd /dev/shm/lab || exit 1
tar --extract --file=/dev/ubdb --touch --no-same-owner
# A program that needs a page which was not read yet waits, and others go first. Which pages it needs depends on the processor.
cat /usr/lib/chromium/chromium-headless-shell /usr/lib/chromium/*.pak /usr/lib/chromium/icudtl.dat /usr/lib/chromium/*.so* \
    /usr/lib/x86_64-linux-gnu/*.so* /usr/sbin/nginx /usr/sbin/gtlsserver /usr/sbin/haproxy >/dev/null
ip link set lo up
stty -F /dev/tty1 raw
exec sh -c '"$@" >/dev/tty1 && { echo o >/proc/sysrq-trigger; sleep 9; }' init "$@"
