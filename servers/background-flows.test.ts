import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { connect as connectTls } from "node:tls";
import { backgroundPorts } from "../schema/background.ts";
import { BackgroundFlows } from "./background-flows.ts";

const noCertificate = () => assert.fail("only a background page needs a certificate");

test("from start to stop, the server sends data on the flow to the client, and reads the flow from the client", async () => {
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
  for (const socket of [down, up]) socket.on("error", () => {}); // the server resets it
  const closed = [down, up].map((socket) => new Promise((resolve) => socket.on("close", resolve)));
  flows.stop();
  await Promise.all(closed);
  assert.deepEqual(flows.states(), []);
});

test("states() throws the error of a background flow that could not begin", async () => {
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

test("stop also resets a background page's connections whose responses are written but not yet sent", async () => {
  const folder = mkdtempSync(`${tmpdir()}/page-`);
  const [key, cert] = [`${folder}/key.pem`, `${folder}/cert.pem`];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-subj", "/CN=page"];
  execFileSync("openssl", words, { stdio: "ignore" });
  const flows = new BackgroundFlows("127.0.0.1", () => ({ key: readFileSync(key), cert: readFileSync(cert) }));
  await flows.start({ congestion: "cubic", visit: { documentBytes: 800, images: 1, imageBytes: 30_000_000 } });
  const client = connectTls({ port: backgroundPorts.page, host: "127.0.0.1", rejectUnauthorized: false });
  client.on("error", () => {}); // the server resets it
  await once(client, "secureConnect");
  client.pause().write("GET /1 HTTP/1.1\r\nHost: page\r\n\r\n");
  while (flows.states()[0]?.waitingBytes === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const port = backgroundPorts.page.toString(16).toUpperCase();
  const open = () => readFileSync("/proc/net/tcp", "utf8").match(new RegExp(`:${port} [0-9A-F:]+ 0[1-9] `, "g"));
  assert.ok(open());
  flows.stop();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(open(), null);
  client.destroy();
  rmSync(folder, { recursive: true });
});
