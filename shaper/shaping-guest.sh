#!/bin/sh
# First process of the user-mode kernel that shapes. Its root is the host's file system, read-only; the agent sends a command a line
# to its console. setpriv is needed where mount is set-user-id: that would replace the guest's root by the file's owner on the host.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
stty -echo -onlcr
setpriv --no-new-privs mount -t proc proc /proc
modules=/usr/lib/uml/modules/$(uname -r)/kernel/net/sched
for discipline in netem tbf fq_codel; do
    insmod "$modules/sch_$discipline".ko* 2>/dev/null
done
echo 1 > /proc/sys/net/ipv4/ip_forward
echo @@ready
exec sh 2>/dev/null  # no prompt, because standard error is no terminal
