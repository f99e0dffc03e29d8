/** Tests the replay clients against a Node.js server: what they request, over which connections, and what they report. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after, before, test } from "node:test";
import type { ClientEvidence } from "../../schema/evidence.ts";
import type { ClientOptions, Loaded, Visit } from "../client.ts";
import { client as pipelining } from "../pipelining/client.ts";
import { client as pipelining6 } from "../pipelining-6/client.ts";
import { client as replay } from "./client.ts";

const images = Array.from({ length: 12 }, (_, i) => `/img${i}`);
const html = `<!doctype html><link rel=icon href=data:,><script src=/first.js></script>${images.map((src) => `<img src=${src}>`).join("\n")}`;
const body = Buffer.alloc(5000, "x");

let server: Server;
const asked: string[] = [];
/** The largest number of requests that were open at once. */
let mostOpen = 0;
let open = 0;
before(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    mostOpen = Math.max(mostOpen, ++open);
    setTimeout(() => {
      open--;
      response.writeHead(request.url === "/missing" ? 404 : 200, { server: "test", "content-length": 5000 });
      if (request.url === "/") response.end(html.padEnd(5000));
      else response.end(body);
    }, 5);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
after(() => server.close());

const optionsAt = (port: number): ClientOptions => ({
  hosts: [{ service: "server1", name: "s1.lab", address: "127.0.0.1" }],
  protocols: { h1c: { scheme: "http", transport: "tcp", alpn: "http/1.1", connections: 6, port } },
  authorities: [],
  scratch: "",
});

async function load(
  client: typeof replay,
  { path = "/", timeoutMs = 5000, ...visit }: Partial<Visit> & { path?: string } = {},
): Promise<[string | null, ClientEvidence]> {
  Object.assign(asked, { length: 0 });
  mostOpen = 0;
  const { port } = server.address() as AddressInfo;
  const opened = await client.open(optionsAt(port));
  const look = async ({ failure, evidence }: Loaded) =>
    [failure?.reason ?? null, evidence] as [string | null, ClientEvidence];
  return opened.load({ url: `http://s1.lab:${port}${path}`, timeoutMs, ...visit }, { look });
}

for (const [name, client, connections] of [
  ["replay", replay, 6],
  ["pipelining", pipelining, 1],
  ["pipelining-6", pipelining6, 6],
] as const)
  test(`${name} requests everything that the markup references, over ${connections} connection(s)`, async () => {
    const [problem, evidence] = await load(client);
    assert.equal(problem, null);
    assert.deepEqual(asked.toSorted(), ["/", "/first.js", ...images].toSorted());
    assert.equal(evidence.connections.length, connections);
    // The order is certain only over one connection: requests on an existing connection can overtake requests that open another connection.
    if (name === "pipelining") assert.deepEqual(asked, ["/", "/first.js", ...images]);
    if (name === "replay") assert.ok(mostOpen <= 6, `${mostOpen} at once`);
    const requests = evidence.connections.flatMap((one) => one.requests);
    assert.equal(requests.length, 14);
    assert.deepEqual(new Set(requests.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(evidence.connections[0]!.software, ["test"]);
    assert.match(evidence.connections[0]!.address ?? "", /^127\.0\.0\.1:\d+$/);
    assert.ok(evidence.userAgent?.startsWith(client.userAgent));
  });

for (const [configured, expected] of [
  [2, 2],
  ["each", 14],
] as const)
  test(`with connections=${configured}, 14 requests open ${expected} connections`, async () => {
    const [problem, { connections }] = await load(replay, { connections: configured });
    assert.equal(problem, null);
    assert.equal(connections.length, expected);
    assert.ok(mostOpen <= expected, `${mostOpen} at once`);
  });

test("with connections=in-turn, each request has its own connection, and begins when the previous response has ended", async () => {
  const [problem, { connections }] = await load(replay, { connections: "in-turn" });
  assert.equal(problem, null);
  assert.deepEqual(asked, ["/", "/first.js", ...images]);
  assert.equal(connections.length, 14);
  assert.equal(mostOpen, 1);
});

test("the address of a connection is still reported if the server closes the connection during the load", async () => {
  let sockets: Socket[] = [];
  const closing = createServer((_, response) => {
    sockets = [...sockets, response.socket!];
    if (sockets.length === 1) response.end("<img src=/later>".padEnd(5000));
    else {
      sockets[0]!.destroy();
      setTimeout(() => response.end(), 50);
    }
  }).listen(0, "127.0.0.1");
  await once(closing, "listening");
  const { port } = closing.address() as AddressInfo;
  const opened = await replay.open(optionsAt(port));
  const visit = { url: `http://s1.lab:${port}/`, timeoutMs: 5000, connections: "in-turn" as const };
  const { connections } = await opened.load(visit, { look: async ({ evidence }) => evidence });
  assert.deepEqual(
    connections.map(({ address }) => address),
    [`127.0.0.1:${port}`, `127.0.0.1:${port}`],
  );
  closing.close();
});

test("pipelined requests are spread evenly over several connections", async () => {
  const [problem, { connections }] = await load(pipelining6, { connections: 2 });
  assert.equal(problem, null);
  assert.deepEqual(
    connections.map(({ requests }) => requests.length),
    [7, 7],
  );
});

test("with idleMs, every second object is requested after the idle time, over connections that were already open", async () => {
  const [problem, { connections }] = await load(replay, { idleMs: 300 });
  assert.equal(problem, null);
  const inOrder = connections.flatMap(({ requests }) => requests).toSorted((a, b) => a.startMs - b.startMs);
  assert.equal(inOrder.length, 14);
  const [before, after] = [inOrder.slice(0, 8), inOrder.slice(8)];
  const pathsOf = (some: typeof inOrder) => some.map(({ path }) => path).sort();
  assert.deepEqual(pathsOf(after), ["/img0", "/img10", "/img2", "/img4", "/img6", "/img8"]);
  assert.equal(connections.length, 6);
  const idleMs = after[0]!.startMs - Math.max(...before.map(({ endMs }) => endMs!));
  assert.ok(idleMs >= 299, `${idleMs} ms`);
});

test("a load that times out while its connections are idle sends no further requests", async () => {
  const [problem] = await load(replay, { idleMs: 60_000, timeoutMs: 200 });
  assert.match(problem!, /^timeout/);
  assert.equal(asked.length, 8);
});

test("receivedBytes counts headers and bodies as sent on the wire", async () => {
  let sent = 0;
  server.once("connection", (socket) => {
    socket.once("close", () => {
      sent = socket.bytesWritten;
    });
  });
  const [, evidence] = await load(pipelining);
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(evidence.receivedBytes, sent);
});

test("the times in `timing` are in order, and the load event is at the last byte", async () => {
  const [, { timing, connections }] = await load(replay);
  const { connectStart, connectEnd, requestStart, responseStart, responseEnd, loadEventStart } = timing;
  const moments = [0, connectStart, connectEnd, requestStart, responseStart, responseEnd, loadEventStart] as number[];
  assert.deepEqual(
    moments,
    moments.toSorted((a, b) => a - b),
  );
  assert.equal(timing.domContentLoadedEventStart, undefined);
  const requests = connections.flatMap((one) => one.requests);
  assert.equal(Math.max(...requests.map(({ endMs }) => endMs!)), loadEventStart);
  assert.equal(requests.find(({ path }) => path === "/")!.startMs, 0);
});

test("a load whose response has an error status succeeds, and a load without a response fails", async () => {
  const [problem, { connections }] = await load(replay, { path: "/missing" });
  assert.equal(problem, null);
  assert.equal(connections[0]!.requests[0]!.status, 404);
  const [late, evidence] = await load(replay, { timeoutMs: 2 });
  assert.match(late!, /^timeout: not loaded after 0.002 s$/);
  assert.deepEqual(evidence.timing, {});
});
