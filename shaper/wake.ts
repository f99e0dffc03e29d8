import { readFileSync } from "node:fs";
import koffi from "koffi";

/** Constants of Linux: socket(2), packet(7), linux/virtio_net.h. */
const AF_PACKET = 17;
const SOCK_RAW = 3;
const SOL_PACKET = 263;
const PACKET_VNET_HDR = 15;
const VIRTIO_NET_HDR_F_NEEDS_CSUM = 1;
const VIRTIO_NET_HDR_GSO_TCPV4 = 1;

const [ethernetBytes, ipBytes, tcpBytes] = [14, 20, 20];
const headersBytes = ethernetBytes + ipBytes + tcpBytes;
/** A superpacket whose segments are longer than any bucket. */
const segmentBytes = 60_000;
const contentBytes = segmentBytes + 1000;

/** A TCP segment of no connection, behind the header that says how it would be cut. */
function superpacket(): Buffer {
  const virtio = Buffer.alloc(10); // struct virtio_net_hdr
  virtio.writeUInt8(VIRTIO_NET_HDR_F_NEEDS_CSUM, 0);
  virtio.writeUInt8(VIRTIO_NET_HDR_GSO_TCPV4, 1);
  virtio.writeUInt16LE(headersBytes, 2);
  virtio.writeUInt16LE(segmentBytes, 4);
  virtio.writeUInt16LE(ethernetBytes + ipBytes, 6); // where the checksum begins
  virtio.writeUInt16LE(16, 8); // and where it is, from there
  const frame = Buffer.alloc(headersBytes + contentBytes);
  frame.writeUInt16BE(0x0800, 12);
  frame.writeUInt8(0x45, ethernetBytes);
  frame.writeUInt16BE(frame.length - ethernetBytes, ethernetBytes + 2);
  frame.writeUInt8(6, ethernetBytes + 9);
  frame.writeUInt8((tcpBytes / 4) << 4, ethernetBytes + ipBytes + 12);
  return Buffer.concat([virtio, frame]);
}

/**
 * Wakes the token bucket of a device whose rate was changed. Linux looks at a bucket again when the rate before the change would
 * let the next packet leave, or when a packet enters. So a packet enters that never leaves: a superpacket that the bucket drops, because it is
 * too long (tbf_enqueue in Linux's net/sched/sch_tbf.c). No capture sees it, and it is no drop of the queue below the bucket.
 * @param device in this process's network namespace
 * @returns wakes the bucket @throws Error that names the system call: the first call needs the right to open raw sockets (CAP_NET_RAW)
 */
export function wakerOf(device: string): () => void {
  let wake: (() => void) | undefined;
  return () => {
    wake ??= openWaker(device);
    wake();
  };
}

function openWaker(device: string): () => void {
  const libc = koffi.load("libc.so.6");
  const must = (call: string, result: number) => {
    if (result < 0) throw new Error(`cannot wake the queue of ${device}: ${call} failed (errno ${koffi.errno()})`);
    return result;
  };
  const one = Buffer.from([1, 0, 0, 0]);
  const fd = must("socket", libc.func("int socket(int domain, int type, int protocol)")(AF_PACKET, SOCK_RAW, 0));
  const set = libc.func("int setsockopt(int fd, int level, int name, void *value, uint32_t length)");
  must("PACKET_VNET_HDR", set(fd, SOL_PACKET, PACKET_VNET_HDR, one, one.length));
  const address = Buffer.alloc(20); // struct sockaddr_ll, of no protocol: the socket receives nothing
  address.writeUInt16LE(AF_PACKET, 0);
  address.writeInt32LE(Number(readFileSync(`/sys/class/net/${device}/ifindex`, "utf8")), 4);
  must("bind", libc.func("int bind(int fd, void *address, uint32_t length)")(fd, address, address.length));
  const send = libc.func("long send(int fd, void *bytes, size_t length, int flags)");
  const packet = superpacket();
  return () => void must("send", send(fd, packet, packet.length, 0));
}
