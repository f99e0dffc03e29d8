import { resolve } from "node:path";
import koffi from "koffi";
import { openPacketSocket, SOL_PACKET } from "./packet-socket.ts";

/** Constants of Linux: packet(7), linux/virtio_net.h. */
const PACKET_VNET_HDR = 15;
const VIRTIO_NET_HDR_F_NEEDS_CSUM = 1;
const VIRTIO_NET_HDR_GSO_TCPV4 = 1;

const [ethernetBytes, ipBytes, tcpBytes] = [14, 20, 20];
const headersBytes = ethernetBytes + ipBytes + tcpBytes;
/** The length of a superpacket's segments: more bytes than any bucket holds. */
const segmentBytes = 60_000;
const contentBytes = segmentBytes + 1000;

/** Returns a virtio header and the headers of a TCP packet that belongs to no connection. The virtio header tells Linux to segment the packet. */
function superpacketStart(): Buffer {
  const virtio = Buffer.alloc(10); // struct virtio_net_hdr
  virtio.writeUInt8(VIRTIO_NET_HDR_F_NEEDS_CSUM, 0);
  virtio.writeUInt8(VIRTIO_NET_HDR_GSO_TCPV4, 1);
  virtio.writeUInt16LE(headersBytes, 2);
  virtio.writeUInt16LE(segmentBytes, 4);
  virtio.writeUInt16LE(ethernetBytes + ipBytes, 6); // where the checksummed bytes begin
  virtio.writeUInt16LE(16, 8); // where the checksum is stored, counted from there
  const frame = Buffer.alloc(headersBytes);
  frame.writeUInt16BE(0x0800, 12);
  frame.writeUInt8(0x45, ethernetBytes);
  frame.writeUInt16BE(frame.length + contentBytes - ethernetBytes, ethernetBytes + 2);
  frame.writeUInt8(6, ethernetBytes + 9);
  frame.writeUInt8((tcpBytes / 4) << 4, ethernetBytes + ipBytes + 12);
  return Buffer.concat([virtio, frame]);
}

/**
 * Returns a function that wakes the token bucket of a device after a change of the rate. Linux looks at a bucket only when the old rate would
 * let the next packet leave, or when a packet enters. So the function sends a superpacket, which the bucket drops because it is too long
 * (tbf_enqueue in Linux's net/sched/sch_tbf.c). No capture sees it, and the queue below the bucket does not count it as dropped.
 * @param device in this process's network namespace; the first call needs CAP_NET_RAW there
 */
export function wakerOf(device: string): () => void {
  let wake: (() => void) | undefined;
  return () => {
    wake ??= openWaker(device);
    wake();
  };
}

function openWaker(device: string): () => void {
  const { fd, must, set, bind } = openPacketSocket(`cannot wake the queue of ${device}`);
  must("PACKET_VNET_HDR", set(SOL_PACKET, PACKET_VNET_HDR, 1));
  bind(device, 0);
  const send = koffi.load("libc.so.6").func("long send(int fd, void *bytes, size_t length, int flags)");
  const packet = Buffer.concat([superpacketStart(), Buffer.alloc(contentBytes)]);
  return () => void must("send", send(fd, packet, packet.length, 0) as number);
}

/** Returns the command that runs tc in a user-mode kernel, and wakes buckets there (guest-tc.pl). */
export const guestTc = (tc: readonly string[]): string[] => [
  ...["perl", resolve("shaper/guest-tc.pl")],
  ...[superpacketStart().toString("hex"), String(contentBytes)],
  ...tc,
];
