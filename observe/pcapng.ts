/** Writes frames, with their TLS keys, as a pcapng file that Wireshark can decrypt (draft-ietf-opsawg-pcapng). */
import type { Frame } from "./packet-capture.ts";

const blocks = { section: 0x0a0d0d0a, interface: 1, packet: 6, secrets: 10 } as const;
const byteOrder = 0x1a2b3c4d;
const ethernet = 1;
/** The format of SSLKEYLOGFILE (RFC 9850). */
const tlsKeyLog = 0x544c534b;

/** @param keys in the format of SSLKEYLOGFILE; empty for connections without encryption */
export function pcapng(frames: readonly Frame[], keys: string): Buffer {
  return Buffer.concat([
    block(blocks.section, words(byteOrder, 1, 0xffffffff, 0xffffffff)), // version 1.0, length not specified
    block(blocks.interface, words(ethernet, 0)), // frames are not truncated; timestamps are in microseconds
    ...(keys ? [block(blocks.secrets, words(tlsKeyLog, Buffer.byteLength(keys)), Buffer.from(keys))] : []), // must precede the packets
    ...frames.map(packet),
  ]);
}

function packet({ timeMs, bytes, head }: Frame): Buffer {
  const us = Math.round(timeMs * 1000);
  return block(blocks.packet, words(0, Math.floor(us / 2 ** 32), us % 2 ** 32, head.length, bytes), head);
}

/** A block has its length at both ends, and its content is padded to a multiple of four bytes. */
function block(type: number, fixed: Buffer, content: Buffer = Buffer.alloc(0)): Buffer {
  const padding = Buffer.alloc(-content.length & 3);
  const length = 12 + fixed.length + content.length + padding.length;
  return Buffer.concat([words(type, length), fixed, content, padding, words(length)]);
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i);
  return bytes;
}
