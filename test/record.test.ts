/** Recordings of sites with several host names, by the headless browser. The sites are on loopback. */
import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { test } from "node:test";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { sha256 } from "../schema/sha256.ts";
import { writeRecording } from "../sites/recorder/write-recording.ts";
import { type Answer, send, serveNamed } from "./named-sites.ts";
import { folder, oneSite, record, visited } from "./recorder-visits.ts";
import { script, serveShop } from "./shop-site.ts";

test("a recording of a shop with seven host names has its redirects, forms, queries, fonts, frames, workers and late images", async () => {
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
  // Names are in the order of their first requests, which differs between visits.
  const shared = recording.hosts.map(({ names }) => names.toSorted()).filter((names) => names.length > 1);
  assert.deepEqual(shared, [["cdn.test", "static.test"]], "images.test is not in their certificate");
  for (const { handshakeMs } of recording.hosts) assert.ok(handshakeMs !== null && handshakeMs < 20, `${handshakeMs}`);
  assert.equal(exchange("GET", "https://shop.test/?from=plain").body, undefined);
  assert.equal(exchange("POST", "https://shop.test/cart").sent?.sha256, sha256("item=7"));
  assert.deepEqual(brotliDecompressSync(bodyOf("https://cdn.test/shop.js")), script);
  const font = new Map(exchange("GET", "https://static.test/shop.woff2").headers);
  assert.equal(font.get("access-control-allow-origin"), "*");
  assert.equal(new Map(exchange("PUT", "https://api.test/stock").headers).get("x-left"), "3", "x-left is exposed");
  assert.equal(new Map(exchange("GET", "https://shop.test/picked-POST.png").headers).get("etag"), '"1"');
  assert.match(leftOut, /^cookies that 1 response set\n.*: sid \(1\), token \(1\), user \(1\)\n.*: server \(1\)$/);
  assert.doesNotMatch(JSON.stringify(recording), /id=1|b=2|secret-1234|ann@|set-cookie/);
});

test("a recording with a phone's view has a phone's user agent and width; it keeps queries if requested, and lacks lazy images without scrolling", async () => {
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
  assert.deepEqual(view, { width: 412, height: 823, mobile: true, scale: 1.75 });
  assert.deepEqual(agents.sort(), ["/ true ?1", "/412 true ?1", "/frame true ?1"]);
});
const phonePage = `<!doctype html><meta name=viewport content="width=device-width">
<iframe src="https://b.test/frame"></iframe><script>fetch("/" + innerWidth)</script>
<div style="height: 9000px"></div><img loading=lazy src="/late">`;

test("a recording of a page that never stops loading keeps complete responses, and lists the open ones", async () => {
  const resolve = await oneSite(({ pathname }, _, response) => {
    if (pathname === "/") send(response, "text/html", `<img src=/endless><img src=/dot><script>${endless}</script>`);
    else if (pathname.startsWith("/endless")) response.writeHead(200, { "content-type": "image/png" }).write("part");
    else if (pathname === "/events") response.writeHead(200, { "content-type": "text/event-stream" }).write("\n");
    else send(response, "text/plain", "x");
  });
  const { all, leftOut } = await record(resolve, { url: "https://a.test/", seconds: 5 });
  assert.ok(all.includes("GET https://a.test/dot 200"), all.join());
  assert.ok(!all.join().includes("/endless"), all.join());
  for (const sentence of [
    "1 response still open after 5 s (--seconds): GET https://a.test/endless",
    "1 response without an end (event streams): GET https://a.test/events",
    "1 response cancelled by the page before the end: GET https://a.test/endless-2",
    "WebSockets, which were refused: https://a.test/socket",
    "GET https://nowhere.test/: no such host, or no name server answers (ENOTFOUND)",
  ])
    assert.ok(leftOut.split("\n").includes(sentence), leftOut);
});
const endless = `new EventSource("/events"); new WebSocket("wss://a.test/socket"); fetch("https://nowhere.test/").catch(() => 0);
const giveUp = new AbortController(); fetch("/endless-2", giveUp).then(() => giveUp.abort())`;

test("event streams and aborted requests do not prolong a recording, and only the first part of a video is kept", async () => {
  const large = Buffer.alloc(3e6, "large");
  const resolve = await oneSite(({ pathname }, _, response) => {
    if (pathname === "/")
      send(response, "text/html", `<video preload=auto src=/film></video><script>${lasting}</script>`);
    else if (pathname === "/events") response.writeHead(200, { "content-type": "text/event-stream" }).write("\n");
    else if (pathname === "/film") {
      response.writeHead(200, { "content-type": "video/mp4" }).write("\0\0\0\x18ftypmp42");
    } else send(response, "text/plain", large);
  });
  const { all, bodyOf, leftOut } = await record(resolve, { url: "https://a.test/" });
  assert.deepEqual(all.toSorted(), [
    "GET https://a.test/ 200",
    "GET https://a.test/film 200",
    "GET https://a.test/given-up 200",
    "GET https://a.test/unread 200",
  ]);
  for (const name of ["given-up", "unread"]) assert.deepEqual(bodyOf(`https://a.test/${name}`), large, name);
  assert.equal(bodyOf("https://a.test/film").length, 12);
  assert.match(leftOut, /^1 response of video or audio, except the part .*: GET https:\/\/a\.test\/film$/m);
  assert.doesNotMatch(leftOut, /--seconds/);
});
const lasting = `new EventSource("/events"); fetch("/unread");
const giveUp = new AbortController(); fetch("/given-up", giveUp).then(() => giveUp.abort())`;

test("a recording has exactly the bytes that the sites sent", async () => {
  const names = Array.from({ length: 12 }, (_, i) => `n${i}.test`);
  const images = names.map((name) => Array.from({ length: 12 }, (_, i) => `<img src="https://${name}/${i}">`).join(""));
  const posts = names.map(
    (name, i) => `fetch("https://${name}/", { method: "POST", body: "x".repeat(${i * 10_000}) })`,
  );
  const page = Buffer.from(`${images.join("")}<script>${posts.join(".catch(() => 0);")}.catch(() => 0)</script>`);
  const sent: string[] = [];
  const resolve = await serveNamed(
    names.map((name) => ({
      names: [name],
      answer({ href }, { method }, response) {
        const isPage = href === "https://n0.test/" && method === "GET";
        // The bodies are not real images, so the browser stops reading them at some point.
        const body = isPage ? page : randomBytes(randomInt(40_000));
        const coded = body.length % 2 ? gzipSync(body) : body;
        if (coded !== body) response.setHeader("content-encoding", "gzip");
        send(response, isPage ? "text/html" : "image/png", coded);
        sent.push(`${method} ${href} ${sha256(coded)}`);
      },
    })),
  );
  const seen = await visited(resolve, { url: "https://n0.test/" });
  assert.deepEqual(
    seen.exchanges.map(({ method, url, body }) => `${method} ${url} ${sha256(body)}`).sort(),
    sent.sort(),
  );
  assert.equal(sent.length, 1 + 12 * 12 + 12);
  const posted = seen.exchanges.filter(({ method }) => method === "POST");
  assert.deepEqual(new Set(posted.map((one) => one.sent.length)), new Set(names.map((_, i) => i * 10_000)));
});

test("a page that sets cookies and redirects to itself is recorded; the browser requests the .dev name only over HTTPS", async () => {
  const page: Answer = ({ pathname }, { headers }, response) => {
    if (pathname !== "/") send(response, "text/plain", "x");
    else if (headers.cookie !== "a=1; b=2")
      response.writeHead(302, { location: "/", "set-cookie": ["a=1", "b=2"] }).end();
    else send(response, "text/html", "<p>Hi");
  };
  const resolve = await serveNamed([{ names: ["a.dev"], answer: page }]);
  const { recording, all } = await record(resolve, { url: "http://a.dev/" });
  assert.equal(recording.url, "https://a.dev/", "browsers know .dev (HSTS)");
  assert.deepEqual(all, ["GET https://a.dev/ 302", "GET https://a.dev/ 200"]);
});
