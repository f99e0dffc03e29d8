#!/bin/sh
# First process of a guest whose clock is virtual. Its root is the image (build.sh), read-only; the files of its lane come in an archive,
# and all that is written goes to memory. It runs the command that follows `--` on the kernel's command line, then powers off.
#   con0: what the kernel and the command say; con1: the command's results
exec </dev/null >/dev/tty0 2>&1
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/dev/shm TMPDIR=/dev/shm
# Libraries choose code by what the processor can do. Here they choose what each x86-64 processor of the last ten years has, so that
# all do alike: glibc and what it thinks of caches; OpenSSL and BoringSSL, which would also draw random numbers from it.
export OPENSSL_ia32cap='~0x7c40100000000000:~0xffffffffffffffff'
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-BMI1,-BMI2,-LZCNT,-MOVBE,-FMA,-ERMS,-FSRM,-RTM,-XSAVE,-XSAVEC
for size in x86_data_cache_size=0x8000 x86_shared_cache_size=0x100000 x86_non_temporal_threshold=0xc0000 x86_rep_movsb_threshold=0x800 x86_rep_stosb_threshold=0x800; do
    GLIBC_TUNABLES=$GLIBC_TUNABLES:glibc.cpu.$size
done
export GLIBC_TUNABLES
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mkdir /dev/shm
mount -t tmpfs tmpfs /dev/shm
ln -s /proc/self/fd /dev/fd
ldconfig -C /dev/shm/ld.so.cache
mkdir /dev/shm/lab
cd /dev/shm/lab || exit 1
tar --extract --file=/dev/ubdb --touch --no-same-owner
ip link set lo up
stty -F /dev/tty1 raw
exec sh -c '"$@" >/dev/tty1 && { echo o >/proc/sysrq-trigger; sleep 9; }' init "$@"
