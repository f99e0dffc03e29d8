import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { HandshakeListener } from "./handshake-listener.ts";
import { type Protocol, readProtocols } from "./protocols.ts";

const { h1, h3 } = readProtocols();

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const isAnswered = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.resetAndDestroy());
  });

test("the port of a server that speaks only QUIC accepts TCP connections until a server that speaks TCP starts", async () => {
  const quic: Protocol = { ...h3!, port: await freePort() };
  const listener = new HandshakeListener();
  await listener.listenFor([quic]);
  assert.equal(await isAnswered(quic.port), true);
  await listener.listenFor([quic]);
  assert.equal(await isAnswered(quic.port), true, "the same server again");
  await listener.listenFor([h1!, quic]);
  assert.equal(await isAnswered(quic.port), false, "a server that listens itself");
});
