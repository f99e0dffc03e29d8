# Runs in the user-mode kernel that shapes. Passes each line of its input to tc, except "wake DEVICE": for this line it sends a superpacket that
# the device's token bucket drops (wake.ts), and prints "[]", because each response of tc ends with such a line. Written in Perl, because every
# Debian has it, and because Node.js would take seconds to start here, and more memory than this kernel has.
#   perl guest-tc.pl START BYTES tc ...    START: the packet's first bytes, hexadecimal; BYTES: how many zeros follow
use strict;
use warnings;

# packet(7), netdevice(7)
my ($AF_PACKET, $SOCK_RAW, $SOL_PACKET, $PACKET_VNET_HDR, $SIOCGIFINDEX) = (17, 3, 263, 15, 0x8933);

my ($start, $zeros, @tc) = @ARGV;
my $packet = pack("H*", $start) . "\0" x $zeros;
$| = 1;
open(my $tc, "|-", @tc) or die "cannot start $tc[0]: $!\n";

sub opened {
    my ($device) = @_;
    socket(my $socket, $AF_PACKET, $SOCK_RAW, 0) or die "socket: $!\n";
    setsockopt($socket, $SOL_PACKET, $PACKET_VNET_HDR, pack("i", 1)) or die "PACKET_VNET_HDR: $!\n";
    my $asked = pack("a16 x24", $device);    # struct ifreq
    ioctl($socket, $SIOCGIFINDEX, $asked) or die "SIOCGIFINDEX: $!\n";
    my $index = unpack("x16 i", $asked);
    bind($socket, pack("S n i x12", $AF_PACKET, 0, $index)) or die "bind: $!\n";    # struct sockaddr_ll
    return $socket;
}

my %sockets;
while (my $line = <STDIN>) {
    if ($line =~ /^wake (\S+)$/) {
        my $device = $1;
        eval {
            my $socket = $sockets{$device} //= opened($device);
            defined send($socket, $packet, 0) or die "send: $!\n";
        };
        print "cannot wake the queue of $device: $@" if $@;
        print "[]\n";
    } else {
        defined syswrite($tc, $line) or die "tc has ended: $!\n";
    }
}
