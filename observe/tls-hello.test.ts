/** Parses real ServerHellos, which OpenSSL makes here, and synthetic ones. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, connect as plainConnect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import tls from "node:tls";
import { keyExchanges } from "../schema/tls.ts";
import { ensureCertificates } from "../servers/certificates.ts";
import { offeredProtocols, serverHello, startsWithClearRequest } from "./tls-hello.ts";

/** The number of bytes of a segment that a capture keeps. */
const capturedBytes = 190;
const [x25519, secp256r1] = [keyExchanges.x25519.group, keyExchanges.secp256r1.group];
const name = "s1.lab";

let folder: string;
before(async () => {
  folder = mkdtempSync("/tmp/tls-test-");
  await ensureCertificates(folder, [name]);
});
after(() => rmSync(folder, { recursive: true }));

/** Makes a handshake through a relay that records what the server sends. @returns the server's first bytes, and the session */
async function handshake(
  version: tls.SecureVersion,
  { serverGroup = "X25519", session }: { serverGroup?: string; session?: Buffer } = {},
): Promise<{ payload: Buffer; session: Buffer }> {
  const server = tls.createServer({
    cert: readFileSync(`${folder}/certificates/ec2/${name}.pem`),
    key: readFileSync(`${folder}/certificates/ec2/${name}.key`),
    ecdhCurve: serverGroup,
    minVersion: version,
    maxVersion: version,
    ticketKeys: Buffer.alloc(48, 7),
  });
  server.on("secureConnection", (socket) => void socket.on("error", () => {}).write("x"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const chunks: Buffer[] = [];
  const sockets: Socket[] = [];
  const relay = createServer((near) => {
    const far = plainConnect((server.address() as AddressInfo).port, "127.0.0.1");
    far.on("data", (chunk) => void chunks.push(chunk));
    sockets.push(near, far);
    for (const one of [near, far]) one.on("error", () => {});
    near.pipe(far).pipe(near);
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  const { port } = relay.address() as AddressInfo;
  const client = tls.connect({
    host: "127.0.0.1",
    port,
    rejectUnauthorized: false,
    ecdhCurve: "X25519:P-256",
    session,
  });
  const [given] = (await once(client, session ? "data" : "session")) as [Buffer];
  for (const one of [client, ...sockets]) one.destroy();
  for (const one of [server, relay]) one.close();
  return { payload: Buffer.concat(chunks).subarray(0, capturedBytes), session: given };
}

/** Length of the server's certificate list, in which a three-byte length precedes each certificate. */
const chainBytes = () =>
  (readFileSync(`${folder}/certificates/ec2/${name}.pem`, "utf8").match(/-----BEGIN[\s\S]*?-----END/g) ?? [])
    .map((pem) => 3 + Buffer.from(pem.replace(/-----\w+( CERTIFICATE-----)?/g, ""), "base64").length)
    .reduce((sum, bytes) => sum + bytes, 0);

for (const version of ["1.2", "1.3"] as const)
  test(`serverHello distinguishes OpenSSL's full and resumed handshakes in TLS ${version}`, async () => {
    const group = version === "1.2" ? null : x25519;
    const first = await handshake(`TLSv${version}`);
    const listed = version === "1.2" ? { certificateBytes: chainBytes() } : {};
    assert.deepEqual(serverHello(first.payload), { version, group, resumed: false, retry: false, ...listed });
    const second = await handshake(`TLSv${version}`, { session: first.session });
    assert.deepEqual(serverHello(second.payload), { version, group, resumed: true, retry: false });
  });

test("a HelloRetryRequest is recognised", async () => {
  const { payload } = await handshake("TLSv1.3", { serverGroup: "P-256" });
  assert.deepEqual(serverHello(payload), { version: "1.3", group: secp256r1, resumed: false, retry: true });
});

const versions = "002b 0002 0304";
const key = (bytes: number) =>
  `0033 ${(bytes + 4).toString(16).padStart(4, "0")} 001d ${bytes.toString(16).padStart(4, "0")} ${"ab".repeat(bytes)}`;
const psk = "0029 0002 0000";
/** The captured part of a ServerHello with these extensions. */
function madeUp(extensions: string): Buffer {
  const body = Buffer.from(extensions.replace(/\s/g, ""), "hex");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([
    Buffer.from(`160303ffff02ffffff0303${"00".repeat(32)}20${"11".repeat(32)}130100`, "hex"),
    length,
    body,
  ]).subarray(0, capturedBytes);
}

test("full and resumed handshakes are distinguished even if a long key pushes the end of the ServerHello out of the capture", () => {
  const kindOf = (extensions: string) => serverHello(madeUp(extensions))?.resumed;
  assert.equal(kindOf(`${versions} ${key(32)}`), false);
  assert.equal(kindOf(`${versions} ${key(32)} ${psk}`), true);
  assert.equal(kindOf(`${psk} ${versions} ${key(32)}`), true);
  assert.equal(kindOf(`${versions} ${key(1120)}`), false);
  assert.equal(kindOf(`${versions} ${key(1120)} ${psk}`), true);
  assert.equal(serverHello(madeUp(`${versions} ${key(1120)}`))?.group, x25519);
});

test("plain text and an empty payload are not a ServerHello", () => {
  assert.equal(serverHello(Buffer.from(`HTTP/1.1 200 OK\r\n${"x".repeat(100)}`)), null);
  assert.equal(serverHello(undefined), null);
});

test("offeredProtocols reads the protocols that a ClientHello offers, and is null if it offers none, or if they were not captured", async () => {
  const hellos: Buffer[] = [];
  const server = createServer((socket) => void socket.once("data", (hello) => hellos.push(hello) && socket.destroy()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  for (const ALPNProtocols of [["spdy/3.1"], ["h2", "http/1.1"], undefined]) {
    const client = tls.connect({ port, host: "127.0.0.1", servername: name, ...(ALPNProtocols && { ALPNProtocols }) });
    await once(client, "error");
  }
  server.close();
  assert.deepEqual(
    hellos.map((hello) => offeredProtocols(hello)),
    [["spdy/3.1"], ["h2", "http/1.1"], null],
  );
  for (const end of [5, 50, hellos[0]!.indexOf("spdy"), hellos[0]!.indexOf("spdy") + 7])
    assert.equal(offeredProtocols(hellos[0]!.subarray(0, end)), null, `${end} bytes`);
  assert.equal(offeredProtocols(Buffer.from("GET / HTTP/1.1")), null);
});

test("startsWithClearRequest recognises a request with any method, even if its target is cut off", () => {
  const starts = (text: string) => startsWithClearRequest(Buffer.from(text));
  for (const method of ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "PROPFIND", "M-SEARCH", "x!y"])
    assert.ok(starts(`${method} /a.php?b=%20c HTTP/1.1\r\nHost: s1.lab\r\n`), method);
  assert.ok(starts("OPTIONS * HTTP/1.1\r\n"));
  const long = `GET /${"a".repeat(150)} HTTP/1.1\r\n`;
  for (let kept = 100; kept <= long.length; kept++) assert.ok(starts(long.slice(0, kept)), long.slice(0, kept));
  for (const body of [
    "name=value",
    "a /b c",
    "a b HTTP/1.1\r\n",
    "GET",
    "GET ",
    '{"a": "/b"}',
    "HTTP/1.1 200 OK\r\n",
    "\x16\x03\x01",
  ])
    assert.equal(starts(body), false, body);
});
