/** RFC 9001's example of a connection's first packets (appendix A), and datagrams between two hosts. */
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
