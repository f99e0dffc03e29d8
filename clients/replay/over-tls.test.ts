/** Tests the replay clients over TLS, against Node.js servers, with HTTP/1.1, HTTP/2 and both versions of SPDY. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { after, before, test } from "node:test";
import type { ClientEvidence } from "../../schema/evidence.ts";
import { makeAuthority } from "../../servers/authority.ts";
import { createSpdyServer } from "../../servers/node/spdy-server.ts";
import { client as pipelining } from "../pipelining/client.ts";
import { isSpdy, type SpdyVersion, speakSpdy } from "../spdy-connection.ts";
import { client as replay } from "./client.ts";

const images = Array.from({ length: 120 }, (_, i) => `/img${i}`);
const html = images
  .map((src) => `<img src=${src}>`)
  .join("\n")
  .padEnd(5000);
const body = Buffer.alloc(50_000, "x");

interface Response {
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  end(body?: Buffer): unknown;
}
function answer({ url = "" }: { url?: string }, response: Response): void {
  const content = url === "/" ? Buffer.from(html) : body;
  response.writeHead(200, { server: "test", "content-length": content.length });
  response.end(content);
}

let tls: { cert: string; key: string };
before(async () => {
  const { certificates: cert, key } = await (await makeAuthority("ec2")).certify("s1.lab", ["s1.lab"], "10");
  tls = { cert, key };
});
const opened: Server[] = [];
after(() => {
  for (const server of opened) server.close();
});

const serverOf = (alpn: string): Server => {
  if (isSpdy(alpn)) return createSpdyServer(alpn, tls, answer as never);
  return alpn === "h2" ? createSecureServer(tls, answer as never) : createServer(tls, answer as never);
};
async function listening(server: Server): Promise<number> {
  opened.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function load(client: typeof replay, asked: string, spoken = asked): Promise<[string | null, ClientEvidence]> {
  const port = await listening(serverOf(spoken));
  const { load: visit } = await client.open({
    hosts: [{ service: "server1", name: "s1.lab", address: "127.0.0.1" }],
    protocols: {
      one: { scheme: "https", transport: "tcp", alpn: asked, connections: asked === "http/1.1" ? 6 : 1, port },
    },
    authorities: [],
    scratch: "",
  });
  return visit(
    { url: `https://s1.lab:${port}/`, timeoutMs: 10_000 },
    { look: async ({ failure, evidence }) => [failure?.reason ?? null, evidence] as [string | null, ClientEvidence] },
  );
}

for (const [name, client, alpn, connections] of [
  ["replay", replay, "http/1.1", 6],
  ["pipelining", pipelining, "http/1.1", 1],
  ["replay", replay, "h2", 1],
  ["replay", replay, "spdy/2", 1],
  ["replay", replay, "spdy/3.1", 1],
] as const)
  test(`over ${alpn} and ${connections} connection(s), ${name} requests everything that the markup references`, async () => {
    const [problem, evidence] = await load(client, alpn);
    assert.equal(problem, null);
    assert.equal(evidence.connections.length, connections);
    assert.deepEqual(new Set(evidence.connections.map(({ protocol }) => protocol)), new Set([alpn]));
    assert.deepEqual(evidence.connections[0]!.tls, { version: "TLS 1.3", group: "X25519" });
    assert.deepEqual(evidence.connections[0]!.software, ["test"]);
    const requests = evidence.connections.flatMap((one) => one.requests);
    assert.deepEqual(requests.map(({ path }) => path).toSorted(), ["/", ...images].toSorted());
    assert.deepEqual(new Set(requests.map(({ status }) => status)), new Set([200]));
    for (const { path, bytes } of requests) assert.ok(bytes >= (path === "/" ? html : body).length, path);
  });

test("no request is sent to a host that does not negotiate the protocol", async () => {
  for (const [asked, spoken] of [
    ["spdy/3.1", "h2"],
    ["spdy/2", "spdy/3.1"],
    ["h2", "spdy/2"],
  ] as const) {
    const [problem, { connections }] = await load(replay, asked, spoken);
    assert.match(problem!, /no application protocol|did not negotiate/, `${asked}, ${spoken}`);
    assert.deepEqual(connections, []);
  }
});

/** Returns the control frames (SPDY, section 2.2.1) that a client sends for several similar requests. */
async function framesOf(alpn: SpdyVersion, requests: number): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const server = createTcpServer((socket) => void socket.on("data", (chunk) => chunks.push(chunk)));
  const socket = connect(await listening(server), "127.0.0.1");
  const client = speakSpdy(socket, alpn, { isServer: false });
  const headers = { "user-agent": "a name that is long enough to be worth some work", accept: "*/*" };
  const priority = { parent: 0, weight: 36, exclusive: false } as const;
  for (let i = 0; i < requests; i++)
    await new Promise<void>((sent) => {
      client.request({ method: "GET", path: `/img${i}`, host: "s1.lab", headers, priority }, () => sent());
    });
  await new Promise((done) => setTimeout(done, 50));
  socket.destroy();
  const frames: Buffer[] = [];
  for (let rest = Buffer.concat(chunks); rest.length; rest = rest.subarray(frames.at(-1)!.length))
    frames.push(rest.subarray(0, 8 + rest.readUIntBE(5, 3)));
  return frames;
}

for (const [alpn, version, dictionary] of [
  ["spdy/2", 2, "dfa251b2"],
  ["spdy/3.1", 3, "e3c6a7c2"],
] as const)
  test(`requests over ${alpn} have frames of version ${version}, and headers compressed with this version's dictionary`, async () => {
    const frames = await framesOf(alpn, 3);
    for (const frame of frames) assert.equal(frame.readUInt16BE(0), 0x8000 | version);
    const requests = frames.filter((frame) => frame.readUInt16BE(2) === 1); // SYN_STREAM
    assert.equal(requests.length, 3);
    // In zlib's format (RFC 1950), the dictionary's checksum follows the two header bytes. Each SPDY version has its own dictionary.
    assert.equal(requests[0]!.toString("hex", 20, 24), dictionary);
    assert.ok(requests[2]!.length < requests[0]!.length / 2, requests.map(({ length }) => length).join(", "));
  });
