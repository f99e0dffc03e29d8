import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { BackgroundSender } from "./background-sender.ts";
import { setCongestion } from "./tcp-socket.ts";

const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const client = connect(port, "127.0.0.1").pause();
const [accepted] = (await once(server, "connection")) as [Socket];
for (const socket of [client, accepted]) socket.on("error", () => {});
after(() => {
  client.destroy();
  server.close();
});

test("a congestion control that the kernel lacks is refused, and the error names it", () =>
  assert.throws(
    () => setCongestion(accepted, "no-such-control"),
    /TCP cannot use the congestion control no-such-control/,
  ));

test("a background sender uses the given congestion control, and always has bytes to send", () => {
  const sender = new BackgroundSender(accepted, 1234, { congestion: "cubic" });
  const { waitingBytes = 0, clientPort, congestion } = sender.state() ?? {}; // isPastStart is not checked: a busy machine may retransmit, even on loopback
  assert.deepEqual({ clientPort, congestion }, { clientPort: 1234, congestion: "cubic" });
  assert.ok(waitingBytes > 0);
});

test("a background video sends one segment at a time, and isPastStart is true once the first segment is delivered", async () => {
  const client = connect(port, "127.0.0.1").pause();
  const [accepted] = (await once(server, "connection")) as [Socket];
  const segment = { bytes: 8_000_000, everyMs: 500 };
  const sender = new BackgroundSender(accepted, 1235, { congestion: "cubic", segment });
  assert.equal(sender.state()?.isPastStart, false);
  let received = 0;
  client.on("data", (bytes) => (received += bytes.length)).resume();
  while (received < 2 * segment.bytes) {
    await once(client, "data");
    if (received === segment.bytes) while (!sender.state()?.isPastStart) await setImmediate();
  }
  assert.deepEqual([received, sender.state()?.isPastStart], [2 * segment.bytes, true]);
  client.destroy();
  accepted.destroy();
});

test("a background sender keeps sending while its receiver reads, and its state is null after a reset", async () => {
  const sender = new BackgroundSender(accepted, 1234, { congestion: "cubic" });
  let received = 0;
  client.on("data", (bytes) => (received += bytes.length)).resume();
  while (received < 100_000_000) await once(client, "data");
  assert.equal(sender.state()?.congestion, "cubic");
  client.resetAndDestroy();
  await new Promise((resolve) => accepted.on("close", resolve)); // `once` would reject when the socket emits an error
  assert.equal(sender.state(), null);
});
