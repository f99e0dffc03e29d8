import { readFileSync } from "node:fs";
import koffi from "koffi";

/** Constants of Linux: socket(2), packet(7), socket(7). */
const AF_PACKET = 17;
const SOCK_RAW = 3;
const ETH_P_ALL = 3;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_RCVBUFFORCE = 33;
const SOL_PACKET = 263;
const PACKET_IGNORE_OUTGOING = 23;
/** Thousands of full frames: connections that start together send a few hundred before the guest reads the first. */
const bufferBytes = 8 << 20;

/**
 * A socket for a device's frames that a child process inherits. User-mode Linux would open its own socket with the default buffer (about
 * 90 full frames). Then up to 35 packets of Page C's first flights over six connections were lost without being counted (measured).
 * @returns its file descriptor
 * @throws Error that names the system call
 */
export function packetSocket(device: string): number {
  const libc = koffi.load("libc.so.6");
  const socket = libc.func("int socket(int domain, int type, int protocol)");
  const bind = libc.func("int bind(int fd, void *address, uint32_t length)");
  const setsockopt = libc.func("int setsockopt(int fd, int level, int name, void *value, uint32_t length)");
  const must = (call: string, result: number) => {
    if (result < 0) throw new Error(`cannot read the frames of ${device}: ${call} failed (errno ${koffi.errno()})`);
    return result;
  };
  const int = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  };
  const protocol = ((ETH_P_ALL & 0xff) << 8) | (ETH_P_ALL >> 8); // in network order
  const fd = must("socket", socket(AF_PACKET, SOCK_RAW, 0) as number); // protocol 0: it receives nothing before bind
  // In an ordinary user's namespace the machine's limit (net.core.rmem_max) applies.
  if ((setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, int(bufferBytes), 4) as number) < 0)
    must("SO_RCVBUF", setsockopt(fd, SOL_SOCKET, SO_RCVBUF, int(bufferBytes), 4) as number);
  must("PACKET_IGNORE_OUTGOING", setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, int(1), 4) as number);
  const address = Buffer.alloc(20); // struct sockaddr_ll
  address.writeUInt16LE(AF_PACKET, 0);
  address.writeUInt16LE(protocol, 2);
  address.writeInt32LE(Number(readFileSync(`/sys/class/net/${device}/ifindex`, "utf8")), 4);
  must("bind", bind(fd, address, address.length) as number);
  return fd;
}
