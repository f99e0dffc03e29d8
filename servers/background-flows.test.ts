import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { backgroundPorts } from "../schema/background.ts";
import { BackgroundFlows } from "./background-flows.ts";

const noCertificate = () => assert.fail("only another page needs a certificate");

test("flows towards the client are sent until the server stops them, and the others are read", async () => {
  const flows = new BackgroundFlows("127.0.0.1", noCertificate);
  await flows.start({ congestion: "cubic" });
  const [down, up] = [backgroundPorts.down, backgroundPorts.up].map((port) => connect(port, "127.0.0.1")) as [
    ReturnType<typeof connect>,
    ReturnType<typeof connect>,
  ];
  await once(down, "data");
  const [state, ...more] = flows.states();
  assert.deepEqual([state?.clientPort, state?.congestion, more.length], [down.localPort, "cubic", 0]);
  assert.ok((state?.waitingBytes ?? 0) > 0);
  const chunk = Buffer.alloc(1 << 20);
  for (let sent = 0; sent < 50; sent++) if (!up.write(chunk)) await once(up, "drain");
  for (const socket of [down, up]) socket.on("error", () => {}); // it is reset
  const closed = [down, up].map((socket) => new Promise((resolve) => socket.on("close", resolve)));
  flows.stop();
  await Promise.all(closed);
  assert.deepEqual(flows.states(), []);
});

test("the state of the senders names a flow that cannot begin", async () => {
  const flows = new BackgroundFlows("127.0.0.1", noCertificate);
  await flows.start({ congestion: "no-such-control" as "bbr" });
  const socket = connect(backgroundPorts.down, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.throws(() => flows.states(), /TCP cannot use the congestion control no-such-control/);
  flows.stop();
  assert.deepEqual(flows.states(), []);
  socket.destroy();
});
