/** Recording sites on several names with the headless browser. The sites are on loopback. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { Resolve } from "../clients/recorder/origin-connections.ts";
import { recordSite } from "../clients/recorder/record-site.ts";
import type { SiteVisit } from "../clients/recorder/visit-page.ts";
import { readRecording } from "../sites/recorded/recording.ts";
import { writeRecording } from "../sites/recorder/write-recording.ts";
import { type Answer, send, serveNamed } from "./named-sites.ts";
import { script, serveShop } from "./shop-site.ts";

const folder = mkdtempSync(`${tmpdir()}/record-test-`);
after(() => rmSync(folder, { recursive: true }));

const usual = { view: "lab", scrolls: false, seconds: 30, insecure: true } as const;
const never = new AbortController().signal;
type GivenVisit = Partial<SiteVisit> & { url: string };

const visited = (resolve: Resolve, visit: GivenVisit, signal = never) =>
  recordSite({ ...usual, ...visit }, { signal, say: () => {}, resolve });

let count = 0;
async function record(resolve: Resolve, visit: GivenVisit) {
  const page = `${folder}/page-${count++}`;
  writeRecording(page, await visited(resolve, visit));
  const recording = readRecording(page);
  const all = recording.exchanges.map(({ method, url, status }) => `${method} ${url} ${status}`);
  const exchange = (method: string, url: string) => {
    const [found, another] = recording.exchanges.filter((one) => one.method === method && one.url === url);
    assert.ok(found && !another, `${method} ${url} in ${all.join("\n")}`);
    return found;
  };
  const bodyOf = (url: string) => readFileSync(`${page}/bodies/${exchange("GET", url).body?.sha256}`);
  return { recording, all, exchange, bodyOf, leftOut: recording.leftOut.join("\n") };
}

const oneSite = (answer: Answer) => serveNamed([{ names: ["a.test"], answer }]);
const html =
  (text: string): Answer =>
  (_, __, response) =>
    send(response, "text/html", text);

test("a shop on seven names: redirects, forms, queries, fonts, frames, workers, late images", async () => {
  const { recording, all, exchange, bodyOf, leftOut } = await record(await serveShop(), {
    url: "http://shop.test/",
    scrolls: true,
  });
  assert.deepEqual(all.slice(0, 3), [
    "GET http://shop.test/ 301",
    "GET https://shop.test/?from=plain 302",
    "GET https://shop.test/home 200",
  ]);
  assert.deepEqual(
    all.slice(3).sort(),
    [
      "GET https://api.test/stock?user=hash-71d4f55f72 200",
      "GET https://cdn.test/shop.js 200",
      "GET https://frame.test/ad 200",
      "GET https://images.test/late.png 200",
      "GET https://shop.test/api?q=shoes&token=hash-e8707c9efc&page=2 200",
      "GET https://shop.test/from-worker 200",
      "GET https://shop.test/gone 404",
      "GET https://shop.test/offline 200",
      "GET https://shop.test/picked-POST.png 200",
      "GET https://shop.test/sw.js 200",
      "GET https://shop.test/worker.js 200",
      "GET https://static.test/shop.woff2 200",
      "GET https://static.test/site.css 200",
      "GET https://tracker.test/seen?sid=hash-ba7816bf8f 204",
      "OPTIONS https://api.test/stock 204",
      "POST https://shop.test/cart 200",
      "PUT https://api.test/stock 200",
    ].sort(),
  );
  const shared = recording.hosts.map(({ names }) => names).filter((names) => names.length > 1);
  assert.deepEqual(shared, [["static.test", "cdn.test"]], "images.test is not in their certificate");
  for (const { handshakeMs } of recording.hosts) assert.ok(handshakeMs !== null && handshakeMs < 20, `${handshakeMs}`);
  assert.equal(exchange("GET", "https://shop.test/?from=plain").body, undefined);
  assert.equal(exchange("POST", "https://shop.test/cart").sent?.sha256, sha256("item=7"));
  assert.deepEqual(brotliDecompressSync(bodyOf("https://cdn.test/shop.js")), script);
  const font = new Map(exchange("GET", "https://static.test/shop.woff2").headers);
  assert.equal(font.get("access-control-allow-origin"), "*");
  assert.equal(new Map(exchange("PUT", "https://api.test/stock").headers).get("x-left"), "3", "it is exposed");
  assert.equal(new Map(exchange("GET", "https://shop.test/picked-POST.png").headers).get("etag"), '"1"');
  assert.match(leftOut, /^cookies that 1 response set\n.*: sid \(1\), token \(1\), user \(1\)\n.*: server \(1\)$/);
  assert.doesNotMatch(JSON.stringify(recording), /id=1|b=2|secret-1234|ann@|set-cookie/);
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("queries are kept if that is wanted; what a phone gets; nothing is scrolled unless it is wanted", async () => {
  const agents: string[] = [];
  const resolve = await serveNamed([
    {
      names: ["a.test", "b.test"],
      answer(url, { headers }, response) {
        agents.push(`${url.pathname} ${/Android/.test(headers["user-agent"] ?? "")} ${headers["sec-ch-ua-mobile"]}`);
        if (url.pathname === "/") send(response, "text/html", phonePage);
        else send(response, "text/html", "<p>frame");
      },
    },
  ]);
  const seen = await visited(resolve, { url: "https://a.test/?key=1", view: "phone" });
  const { url, view } = writeRecording(`${folder}/phone`, seen, { keepsQueries: true });
  assert.equal(url, "https://a.test/?key=1");
  assert.deepEqual(view, { width: 412, height: 823, mobile: true });
  assert.deepEqual(agents.sort(), ["/ true ?1", "/412 true ?1", "/frame true ?1"]);
});
const phonePage = `<!doctype html><meta name=viewport content="width=device-width">
<iframe src="https://b.test/frame"></iframe><script>fetch("/" + innerWidth)</script>
<div style="height: 9000px"></div><img loading=lazy src="/late">`;

test("a page that never ends: what it has is kept, what is open is listed", async () => {
  const resolve = await oneSite(({ pathname }, _, response) => {
    if (pathname === "/") send(response, "text/html", `<img src=/endless><img src=/dot><script>${endless}</script>`);
    else if (pathname === "/endless") response.writeHead(200, { "content-type": "image/png" }).write("part");
    else if (pathname === "/events") response.writeHead(200, { "content-type": "text/event-stream" }).write("\n");
    else send(response, "text/plain", "x");
  });
  const { all, leftOut } = await record(resolve, { url: "https://a.test/", seconds: 5 });
  assert.ok(all.includes("GET https://a.test/dot 200"), all.join());
  assert.ok(!all.join().includes("/endless"), all.join());
  const open = /^2 responses still open after 5 s \(--seconds\): (.*)$/m.exec(leftOut)?.[1]?.split(", ");
  assert.deepEqual(open?.sort(), ["GET https://a.test/endless", "GET https://a.test/events"], leftOut);
  assert.match(leftOut, /^WebSockets, which were refused: https:\/\/a\.test\/socket$/m);
  assert.match(leftOut, /^GET https:\/\/nowhere\.test\/: no such host/m);
  assert.match(leftOut, /^1 response given up by the page: GET https:\/\/a\.test\/endless\?2$/m);
});
const endless = `new EventSource("/events"); new WebSocket("wss://a.test/socket"); fetch("https://nowhere.test/").catch(() => 0);
const giveUp = new AbortController(); fetch("/endless?2", giveUp).then(() => giveUp.abort())`;

const problems: [string, Partial<SiteVisit> & { url: string }, Answer, RegExp][] = [
  ["an unknown host", { url: "https://no.test/" }, html(""), /^https:\/\/no\.test\/: no such host/],
  ["a closed port", { url: "https://a.test:8443/" }, html(""), /the connection was refused/],
  [
    "an invalid certificate",
    { url: "https://a.test/", insecure: false },
    html(""),
    /certificate is not valid \(DEPTH_ZERO_SELF_SIGNED_CERT\); --insecure/,
  ],
  [
    "a login",
    { url: "https://a.test/" },
    (_, __, response) => response.writeHead(401, { "www-authenticate": "Basic" }).end(),
    /it wants a login \(status 401\), and credentials are not supported/,
  ],
  ["a missing page", { url: "https://a.test/" }, (_, __, response) => response.writeHead(404).end("no"), /status 404/],
  [
    "a download",
    { url: "https://a.test/" },
    (_, __, response) => send(response, "application/zip", "PK"),
    /application\/zip, but a page starts with HTML/,
  ],
  [
    "HTML to download",
    { url: "https://a.test/" },
    (_, __, response) => send(response, "text/html", "x", { "content-disposition": "attachment" }),
    /a download, and not a page/,
  ],
  [
    "a large download",
    { url: "https://a.test/" },
    (_, __, response) => {
      response.writeHead(200, { "content-type": "application/zip" });
      sendMegabytes(response, 20);
    },
    /application\/zip, but a page starts with HTML/,
  ],
  [
    "an image",
    { url: "https://a.test/" },
    (_, __, response) => send(response, "image/svg+xml", "<svg/>"),
    /image\/svg\+xml, but/,
  ],
  [
    "a circle",
    { url: "https://a.test/" },
    (_, __, response) => response.writeHead(302, { location: "/" }).end(),
    /it redirects in a circle/,
  ],
  [
    "a document without an end",
    { url: "https://a.test/", seconds: 2 },
    (_, __, response) => response.writeHead(200, { "content-type": "text/html" }).write("<p>"),
    /no complete response within 2 s \(--seconds\)/,
  ],
  ["a broken response", { url: "https://a.test/" }, (_, { socket }) => socket.destroy(), /https:\/\/a\.test\/: /],
  [
    "210 MB",
    { url: "https://a.test/" },
    ({ pathname }, _, response) =>
      pathname === "/"
        ? send(response, "text/html", "<script>fetch('/film').then((r) => r.blob())</script>")
        : sendMegabytes(response, 210),
    /more than 200 MB, the most that is allowed; nothing was kept/,
  ],
];

function sendMegabytes(response: Parameters<Answer>[2], megabytes: number): void {
  if (megabytes === 0) response.end();
  else if (response.write(Buffer.alloc(1e6))) setImmediate(sendMegabytes, response, megabytes - 1);
  else response.once("drain", () => sendMegabytes(response, megabytes - 1));
}

for (const [name, visit, answer, message] of problems)
  test(`no recording: ${name}`, async () => {
    const hosts = await oneSite(answer);
    const resolve: Resolve = (hostname, port) =>
      port === 8443 ? Promise.resolve([{ address: "127.0.0.1", port: 1 }]) : hosts(hostname, port);
    await assert.rejects(visited(resolve, visit), { name: "LabError", exitCode: 1, message });
  });

test("no recording: 40 names", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${i}.test`);
  const images = names.map((name) => `<img src="https://${name}/">`).join("");
  const resolve = await serveNamed([{ names, answer: html(images) }]);
  await assert.rejects(visited(resolve, { url: "https://n0.test/" }), /more than 32 names.*: n0\.test, /);
});

test("an interrupted recording leaves nothing", async () => {
  const scratch = () => readdirSync(tmpdir()).filter((name) => name.startsWith("lab-record-"));
  const before = scratch();
  const stop = new AbortController();
  const resolve = await oneSite((_, __, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<p>");
    setTimeout(() => stop.abort(new Error("stopped")), 200);
  });
  await assert.rejects(visited(resolve, { url: "https://a.test/" }, stop.signal), /^Error: stopped$/);
  assert.deepEqual(scratch(), before);
});
