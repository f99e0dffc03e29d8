import { backgroundPorts } from "../schema/background.ts";
import type { Frame } from "./packet-capture.ts";

/** Enough for the headers of Ethernet, IP and TCP, with TCP's options. */
const headersBytes = 128;
const ipv4 = 0x0800;
const tcp = 6;
const ports: ReadonlySet<number> = new Set(Object.values(backgroundPorts));

/** Removes the payload of a background flow's frame: nothing reads this payload, and it would need a lot of memory. */
export function withoutBulk(frame: Frame): Frame {
  const { head } = frame;
  if (head.length <= headersBytes || !isOfBackground(head)) return frame;
  return { ...frame, head: Buffer.from(head.subarray(0, headersBytes)) };
}

function isOfBackground(head: Buffer): boolean {
  const ip = head.subarray(14);
  if (head.readUInt16BE(12) !== ipv4 || ip[9] !== tcp) return false;
  const segment = ip.subarray((ip[0]! & 15) * 4);
  return ports.has(segment.readUInt16BE(0)) || ports.has(segment.readUInt16BE(2));
}
