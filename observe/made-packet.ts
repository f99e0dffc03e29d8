import type { Packet } from "./packet.ts";

/** For tests: a TCP segment that carries nothing and says nothing, but for what is given. */
export const madePacket = (news: Pick<Packet, "timeMs" | "source" | "destination"> & Partial<Packet>): Packet => ({
  transport: "tcp",
  frameBytes: 66,
  sequence: 0,
  acknowledgment: 0,
  syn: false,
  fin: false,
  reset: false,
  push: false,
  sacks: false,
  window: 500,
  windowScale: null,
  mssBytes: null,
  payloadBytes: 0,
  payload: Buffer.alloc(0),
  mark: 0,
  ...news,
});
