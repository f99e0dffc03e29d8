/** RFC 9001's example of a connection's first packets (appendix A), datagrams between two hosts, and packets that tests encrypt themselves. */
import { createCipheriv, createHmac } from "node:crypto";
import { expandLabel, tagBytes } from "./aead.ts";
import type { UdpPacket } from "./packet.ts";
import type { QuicDatagram } from "./quic-conversations.ts";

export const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ""), "hex");

export const firstId = bytes("8394c8f03e515708");
export const serverInitial = bytes(`cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a
  5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9
  c3bf9c73cc3f3bded74b562bfb19fb84022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc4
  2158407dd074ee`);
/** The server's connection ID, which is in the client's later packets. The client's connection ID is empty. */
export const serverId = bytes("f067a5502a4262b5");
/** The start of the client's first Initial. */
export const clientInitial = bytes("c3 00000001 08 8394c8f03e515708 00 00 449e");

export const [client, server] = ["198.18.0.10:40000", "198.18.1.11:4433"];
export function datagram(timeMs: number, fromClient: boolean, payload: Buffer, payloadBytes = 1200): QuicDatagram {
  const [source, destination] = fromClient ? [client, server] : [server, client];
  const packet: UdpPacket = {
    transport: "udp",
    timeMs,
    frameBytes: payloadBytes + 42,
    source,
    destination,
    payloadBytes,
    payload,
    mark: 0,
  };
  return { packet, fromClient };
}

export const secretOf = (n: number) => Buffer.alloc(32, n);
/** The key log of a connection. The client encrypts data with `secretOf(client)`, the server with `secretOf(server)`. */
export const logOf = (client: number, server: number) =>
  [
    `CLIENT_HANDSHAKE_TRAFFIC_SECRET aa${client} ${secretOf(1).toString("hex")}`,
    `SERVER_HANDSHAKE_TRAFFIC_SECRET aa${client} ${secretOf(2).toString("hex")}`,
    `CLIENT_TRAFFIC_SECRET_0 aa${client} ${secretOf(client).toString("hex")}`,
    `SERVER_TRAFFIC_SECRET_0 aa${client} ${secretOf(server).toString("hex")}`,
    "# a comment",
  ].join("\n");

/** A packet with a short header. @param phase how often the sender had updated its keys */
export const short = (secret: Buffer, id: Buffer, number: number, frames: Buffer, phase = 0): Buffer =>
  sealed(secret, Buffer.from([0x41 | ((phase & 1) << 2), ...id]), number, frames, phase);

/** The client's Initial. Its keys are derived from the destination connection ID `id` (RFC 9001, section 5.2). */
export function initial(id: Buffer, number: number, frames: Buffer): Buffer {
  const salt = bytes("38762cf7f55934b34d179ae6a4c80cadccbb7f0a");
  const secret = expandLabel("sha256", createHmac("sha256", salt).update(id).digest(), "client in", 32);
  const length = 2 + frames.length + tagBytes;
  const header = [0xc1, 0, 0, 0, 1, id.length, ...id, 0, 0, 0x40 | (length >> 8), length & 255];
  return sealed(secret, Buffer.from(header), number, frames);
}

/** A Retry, with a token of four bytes and a tag that nobody checks. @param id the server's new connection ID */
export const retry = (id: Buffer) => Buffer.concat([bytes("f0 00000001 00 08"), id, Buffer.alloc(4 + tagBytes)]);

/** Encrypts a packet. @param start the header without the packet number, which has two bytes */
function sealed(secret: Buffer, start: Buffer, number: number, frames: Buffer, phase = 0): Buffer {
  const derive = (from: Buffer, label: string, length = 16) => expandLabel("sha256", from, label, length);
  let current = secret;
  for (let i = 0; i < phase; i++) current = derive(current, "quic ku", 32);
  const nonce = derive(current, "quic iv", 12);
  nonce.writeUInt16BE(nonce.readUInt16BE(10) ^ number, 10);
  const header = Buffer.from([...start, number >> 8, number & 255]);
  const cipher = createCipheriv("aes-128-gcm", derive(current, "quic key"), nonce).setAAD(header);
  const packet = Buffer.concat([header, cipher.update(frames), cipher.final(), cipher.getAuthTag()]);
  const numberAt = start.length;
  const sample = packet.subarray(numberAt + 4, numberAt + 4 + 16);
  const mask = createCipheriv("aes-128-ecb", derive(secret, "quic hp"), null).update(sample);
  packet[0]! ^= mask[0]! & (start[0]! & 0x80 ? 0x0f : 0x1f);
  for (let i = 0; i < 2; i++) packet[numberAt + i]! ^= mask[1 + i]!;
  return packet;
}

export const noId = Buffer.alloc(0);
