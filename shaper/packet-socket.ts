import { readFileSync } from "node:fs";
import koffi from "koffi";

/** Constants of Linux: socket(2), packet(7), socket(7). */
const AF_PACKET = 17;
const SOCK_RAW = 3;
const ETH_P_ALL = 3;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_RCVBUFFORCE = 33;
export const SOL_PACKET = 263;
const PACKET_IGNORE_OUTGOING = 23;
/** Room for thousands of full frames: connections that start together send a few hundred before the guest reads the first frame. */
const bufferBytes = 8 << 20;

/** The socket receives nothing before `bind`. @param purpose the beginning of each error message, such as "cannot read the frames of eth0" */
export function openPacketSocket(purpose: string) {
  const libc = koffi.load("libc.so.6");
  const socket = libc.func("int socket(int domain, int type, int protocol)");
  const bind = libc.func("int bind(int fd, void *address, uint32_t length)");
  const setsockopt = libc.func("int setsockopt(int fd, int level, int name, void *value, uint32_t length)");
  const must = (call: string, result: number) => {
    if (result < 0) throw new Error(`${purpose}: ${call} failed (errno ${koffi.errno()})`);
    return result;
  };
  const fd = must("socket", socket(AF_PACKET, SOCK_RAW, 0) as number);
  return {
    fd,
    must,
    /** @returns a negative number if the kernel refuses the option */
    set(level: number, name: number, value: number): number {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32LE(value);
      return setsockopt(fd, level, name, bytes, bytes.length) as number;
    },
    /** @param protocol the protocol of the frames that the socket then receives; 0 for no frames */
    bind(device: string, protocol: number): void {
      const address = Buffer.alloc(20); // struct sockaddr_ll
      address.writeUInt16LE(AF_PACKET, 0);
      address.writeUInt16BE(protocol, 2);
      address.writeInt32LE(Number(readFileSync(`/sys/class/net/${device}/ifindex`, "utf8")), 4);
      must("bind", bind(fd, address, address.length) as number);
    },
  };
}

/**
 * Opens a socket that receives a device's frames, and that a child process inherits. The socket that user-mode Linux would open has the default
 * buffer for about 90 full frames: it lost up to 35 packets of Page C's first flights over six connections, uncounted (measured).
 * @returns the file descriptor
 */
export function packetSocket(device: string): number {
  const { fd, must, set, bind } = openPacketSocket(`cannot read the frames of ${device}`);
  // In an ordinary user's namespace the machine's limit (net.core.rmem_max) applies.
  if (set(SOL_SOCKET, SO_RCVBUFFORCE, bufferBytes) < 0) must("SO_RCVBUF", set(SOL_SOCKET, SO_RCVBUF, bufferBytes));
  must("PACKET_IGNORE_OUTGOING", set(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1));
  bind(device, ETH_P_ALL);
  return fd;
}
