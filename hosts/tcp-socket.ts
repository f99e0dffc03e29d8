/** Properties of a TCP socket that Node.js does not offer: its congestion control, and its sender's losses, ECN marks and phase. tcp(7) */
import type { Socket } from "node:net";
import koffi from "koffi";

/** Constants of Linux: linux/in.h, linux/tcp.h, linux/inet_diag.h. */
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const TCP_CONGESTION = 13;
const TCP_CC_INFO = 26;
/** Offsets of fields in struct tcp_info, and the length up to the last of these fields. */
const info = { mss: 16, unacked: 24, retransmitted: 100, notSentBytes: 144, marked: 196, bytes: 200 };
/** The offset of a field in struct tcp_bbr_info, and the length of the struct. */
const bbr = { pacingGain: 12, bytes: 20 };
const nameBytes = 16;

let calls: ReturnType<typeof open> | undefined;

function open() {
  const libc = koffi.load("libc.so.6");
  return {
    set: libc.func("int setsockopt(int fd, int level, int name, void *value, uint32_t length)"),
    get: libc.func("int getsockopt(int fd, int level, int name, void *value, void *length)"),
  };
}

function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const fd: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
  if (typeof fd !== "number" || fd < 0) throw new Error("the socket is closed");
  return fd;
}

function read(socket: Socket, option: number, bytes: number): Buffer {
  const [value, length] = [Buffer.alloc(bytes), Buffer.alloc(4)];
  length.writeUInt32LE(bytes);
  calls ??= open();
  const result = calls.get(descriptorOf(socket), IPPROTO_TCP, option, value, length) as number;
  if (result < 0) throw new Error(`TCP option ${option} cannot be read (errno ${koffi.errno()})`);
  return value;
}

/** @throws Error if the kernel does not have or allow this congestion control */
export function setCongestion(socket: Socket, name: string): void {
  const value = Buffer.from(name);
  calls ??= open();
  const result = calls.set(descriptorOf(socket), IPPROTO_TCP, TCP_CONGESTION, value, value.length) as number;
  if (result < 0) throw new Error(`TCP cannot use the congestion control ${name} (errno ${koffi.errno()})`);
}

export const congestionOf = (socket: Socket): string =>
  read(socket, TCP_CONGESTION, nameBytes).toString("latin1").split("\0")[0] ?? "";

/** Returns how often the sender has seen congestion (a loss or an ECN mark), and how many bytes TCP has not delivered yet. */
export function sentOn(socket: Socket): { signals: number; waitingBytes: number } {
  const value = read(socket, TCP_INFO, info.bytes);
  const at = (offset: number) => value.readUInt32LE(offset);
  return {
    signals: at(info.retransmitted) + at(info.marked),
    waitingBytes: at(info.notSentBytes) + at(info.unacked) * at(info.mss),
  };
}

/** Reads the factor by which BBR sends faster than its estimate of the bottleneck's rate. The factor shows BBR's phase. */
export const bbrPacingGain = (socket: Socket): number =>
  read(socket, TCP_CC_INFO, bbr.bytes).readUInt32LE(bbr.pacingGain) / 256;
