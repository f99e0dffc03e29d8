/** Calibration's traffic: numbered UDP packets at an even pace. No control message crosses the link, so loss and delay cannot change what is sent. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** The offset of the packet's number in its payload. The number has four bytes, and is 1 in the first packet. */
export const numberOffset = 8;
export const leastPayloadBytes = numberOffset + 4;

export const datagramPlanSchema = z.strictObject({
  packets: z.int().positive(),
  perSecond: z.number().positive(),
  payloadBytes: z.int().min(leastPayloadBytes),
  /** The most packets that a late sender sends at once. It sends the rest later than planned, so that a stall of the machine fills no queue. */
  atOnce: z.int().positive(),
});
export type DatagramPlan = z.infer<typeof datagramPlanSchema>;

interface End {
  address: string;
  port: number;
}

/** Opens a socket that discards what it receives. Captures record the packets; without a socket, the host would answer that the port is closed. */
export async function openDatagramSocket(address: string, port = 0): Promise<Socket> {
  const socket = createSocket("udp4").on("error", () => {});
  socket.bind(port, address);
  await once(socket, "listening");
  return socket.unref();
}

export async function sendDatagrams(socket: Socket, to: End, plan: DatagramPlan): Promise<void> {
  const { packets, perSecond, payloadBytes, atOnce } = plan;
  socket.connect(to.port, to.address);
  await once(socket, "connect");
  const spacingMs = 1000 / perSecond;
  let startMs = performance.now();
  for (let sent = 0; sent < packets; await sleep(1)) {
    const due = Math.floor((performance.now() - startMs) / spacingMs) + 1 - sent;
    if (due > atOnce) startMs += (due - atOnce) * spacingMs;
    for (const last = Math.min(packets, sent + Math.min(due, atOnce)); sent < last; ) {
      const payload = Buffer.alloc(payloadBytes);
      payload.writeUInt32BE(++sent, numberOffset);
      socket.send(payload);
    }
  }
}
