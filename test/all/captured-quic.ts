/** Reads the QUIC packets of a capture with the lab's own decoder. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readKeyLog } from "../../observe/key-log.ts";
import { decode } from "../../observe/packet.ts";
import { quicConversations } from "../../observe/quic-conversations.ts";
import { type OpenedPacket, openConversation } from "../../observe/quic-opened.ts";

/** @param file a pcapng capture of a connection (keys: block type 10, packets: 6) @returns the packets in order; a packet's time is its index */
export function packetsOf(file: string): OpenedPacket[] {
  const all = readFileSync(file);
  const frames: Parameters<typeof decode>[0][] = [];
  let keys = "";
  for (let at = 0; at < all.length; at += all.readUInt32LE(at + 4)) {
    const block = all.subarray(at + 8, at + all.readUInt32LE(at + 4) - 4);
    const type = all.readUInt32LE(at);
    if (type === 10) keys = block.toString("latin1", 8, 8 + block.readUInt32LE(4));
    if (type === 6)
      frames.push({
        timeMs: frames.length,
        bytes: block.readUInt32LE(16),
        head: block.subarray(20, 20 + block.readUInt32LE(12)),
      });
  }
  const datagrams = frames
    .map(decode)
    .flatMap((packet) =>
      typeof packet !== "string" && packet.transport === "udp"
        ? [{ packet, fromClient: packet.source.startsWith("198.18.0.") }]
        : [],
    );
  const [conversation, ...others] = quicConversations(datagrams);
  assert.deepEqual(others, []);
  const { packets, unopened } = openConversation(conversation!, readKeyLog(keys))!;
  assert.equal(unopened, 0);
  return packets;
}
