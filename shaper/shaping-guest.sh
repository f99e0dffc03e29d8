#!/bin/sh
# First process of the user-mode kernel that shapes: its root is the host's file system, read-only; its console is the
# agent, which sends one command a line. setpriv: a set-user-id mount would drop the guest's root for the host's owner.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
stty -echo -onlcr
setpriv --no-new-privs mount -t proc proc /proc
modules=/usr/lib/uml/modules/$(uname -r)/kernel/net/sched
for discipline in netem tbf fq_codel; do
    insmod "$modules/sch_$discipline".ko* 2>/dev/null
done
echo 1 > /proc/sys/net/ipv4/ip_forward
echo @@ready
exec sh 2>/dev/null  # a standard error that is no terminal: no prompt
