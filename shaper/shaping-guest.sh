#!/bin/sh
# First process of the user-mode kernel that shapes. The kernel's root file system is the host's, read-only. The agent sends commands to the
# kernel's console, one per line. setpriv is needed, because mount has the set-user-ID bit, and would run as its owner on the host, not as root.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
stty -echo -onlcr
setpriv --no-new-privs mount -t proc proc /proc
modules=/usr/lib/uml/modules/$(uname -r)/kernel/net/sched
for discipline in netem tbf fq_codel cake dualpi2; do
    insmod "$modules/sch_$discipline".ko* 2>/dev/null
done
echo 1 > /proc/sys/net/ipv4/ip_forward
echo @@ready
exec sh 2>/dev/null  # no prompt, because stderr is not a terminal
