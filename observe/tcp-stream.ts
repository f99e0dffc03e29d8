/** The bytes of one direction of a TCP connection, reassembled from its captured segments. */
import { beyond } from "./packet.ts";
import type { Conversation } from "./tcp-flows.ts";

/** @returns the bytes after the SYN, up to the first gap in the captured segments; null if the sender's SYN is missing, or a segment is cut */
export function bytesOf({ packets }: Conversation, byClient: boolean): Buffer | null {
  const own = packets.flatMap(({ packet, fromClient }) => (fromClient === byClient ? [packet] : []));
  const syn = own.find((packet) => packet.syn);
  const data = own.filter(({ payloadBytes }) => payloadBytes > 0);
  if (!syn || data.some(({ payload, payloadBytes }) => payload.length < payloadBytes)) return null;
  const placed = data
    .map(({ sequence, payload }) => ({ from: beyond(sequence, syn.sequence + 1), payload }))
    .toSorted((a, b) => a.from - b.from);
  const parts: Buffer[] = [];
  let end = 0;
  for (const { from, payload } of placed) {
    if (from > end) break;
    if (from + payload.length <= end) continue;
    parts.push(payload.subarray(end - from));
    end = from + payload.length;
  }
  return Buffer.concat(parts);
}
