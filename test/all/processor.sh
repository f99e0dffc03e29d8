#!/bin/sh
# Runs a guest of the virtual clock in a machine whose processor, cores and memory QEMU emulates (without KVM: about 15 times slower).
#   processor.sh fetch FOLDER   downloads Debian's kernel and BusyBox for the emulated machine from this machine's mirrors
#   FOLDER/taskset WORDS...     replaces taskset(1), with which the lab starts a guest in the guest's own folder; the variable MACHINE
#                               has QEMU's options
set -eu
# The kernel modules for the emulated disks. Some Debian kernels have them built in.
modules="virtio virtio_ring virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk"

fetch() {
    work=$1/packages
    mkdir "$work"
    "$lab/hosts/debian.sh" sources "$work" trixie
    for words in update "install --download-only --yes linux-image-cloud-amd64 busybox-static"; do
        # shellcheck disable=SC2086 # each is a word
        "$lab/hosts/debian.sh" apt "$work" apt-get $words >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
    done
    for deb in "$work"/cache/archives/linux-image-[0-9]*.deb "$work"/cache/archives/busybox*.deb; do dpkg-deb -x "$deb" "$work"; done
    mv "$work"/boot/vmlinuz* "$1/vmlinuz"
    mv "$work"/*bin/busybox "$work"/usr/bin/busybox "$1/" 2>/dev/null || [ -e "$1/busybox" ]
    for module in $modules; do find "$work" -name "$module.ko*" -exec mv {} "$1/" \;; done
    [ ! -e "$1/virtio_blk.ko.xz" ] || xz --decompress "$1"/*.ko.xz
    rm -r "$work"
    ln -s "$lab/test/all/processor.sh" "$1/taskset"
}

# The first five words are for taskset and setpriv. The guest's kernel and its command line follow, and no word of them needs quotes.
emulate() {
    shift 5
    mkdir machine machine/bin machine/proc machine/sys machine/dev machine/work
    cp "$1" machine/bin/linux
    cp "$files/busybox" machine/bin/
    cp "$files"/*.ko machine/
    shift
    cat >machine/init <<END
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc && mount -t sysfs sysfs /sys && mount -t devtmpfs dev /dev
mkdir /dev/pts /dev/shm && mount -t devpts devpts /dev/pts && mount -t tmpfs -o size=100% tmpfs /dev/shm
for module in $modules; do [ ! -e /\$module.ko ] || insmod /\$module.ko; done
stty -F /dev/ttyS1 raw
ln -s /dev/vda /work/root.img
ln -s /dev/vdb /work/lab.tar
cd /work
setsid env -i TMPDIR=/dev/shm /bin/linux $* 2>/dev/console | cat >/dev/ttyS1
poweroff -f
END
    chmod +x machine/init
    (cd machine && find . | "$files/busybox" cpio -o -H newc) >initrd 2>/dev/null
    # shellcheck disable=SC2086 # each is a word
    exec setpriv --pdeathsig KILL qemu-system-x86_64 $MACHINE -accel tcg -nodefaults -no-user-config -display none -no-reboot \
        -kernel "$files/vmlinuz" -initrd initrd -append "console=ttyS0 quiet panic=-1" \
        -chardev file,id=messages,path=/proc/self/fd/2,append=on -serial chardev:messages \
        -chardev stdio,id=results,signal=off -serial chardev:results \
        -drive file=root.img,format=raw,if=virtio,readonly=on,file.locking=off \
        -drive file=lab.tar,format=raw,if=virtio,readonly=on
}

files=$(cd "$(dirname "$0")" && pwd)
lab=$(dirname "$(readlink -f "$0")")/../..
if [ "$1" = fetch ]; then fetch "$2"; else emulate "$@"; fi
