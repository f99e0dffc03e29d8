/** Tests recordings from HARs: which parts of the entries are kept, and the sentences about the rest. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { producers, samplePage } from "../har/sample-har.fixture.ts";
import { entryOf, html, recordingOf } from "./har-recording.fixture.ts";

test("redirects, POSTs and error responses become exchanges; entries without a response are left out and reported", () => {
  const { recording, all } = recordingOf([
    entryOf("http://a.test/", { status: 301, headers: { Location: "https://a.test/", Server: "x" } }),
    html("https://a.test/"),
    entryOf("https://a.test/cart", {
      method: "POST",
      request: { postData: { text: "item=7" } },
      headers: { "Content-Type": "application/json", "Set-Cookie": "id=1" },
      content: { text: "{}" },
    }),
    entryOf("https://a.test/gone?token=1", { status: 404 }),
    entryOf("https://b.test/blocked", { status: 0 }),
  ]);
  assert.deepEqual(all, [
    "GET http://a.test/ 301",
    "GET https://a.test/ 200",
    "POST https://a.test/cart 200",
    "GET https://a.test/gone?token=hash-6b86b273ff 404",
  ]);
  assert.equal(recording.url, "http://a.test/");
  assert.equal(recording.recordedBy, "Test 7");
  assert.match(recording.recordedAt, /^2025-12-29T09:20:00\.0\d\dZ$/);
  assert.deepEqual(recording.hosts, [{ names: ["a.test"], handshakeMs: 10 }]);
  assert.deepEqual(recording.exchanges[0]?.headers, [["location", "https://a.test/"]]);
  assert.deepEqual([recording.exchanges[2]?.sent?.bytes, recording.exchanges[2]?.waitMs], [6, 5.3]);
  assert.deepEqual(recording.leftOut, [
    "1 entry without a response (number 5)",
    "cookies that 1 response set",
    "values of query parameters, replaced by a hash: token (1)",
    "headers that do not affect a load: server (1)",
  ]);
});

test("bodies get their recorded content coding (Brotli instead of zstd) and nearly their recorded size", () => {
  const text = Array.from({ length: 3000 }, (_, i) => `.c${(i * 7919) % 1000} { width: ${i}px }\n`).join("");
  const wire = gzipSync(text, { level: 2 });
  const style = (coding: string) =>
    entryOf(`https://a.test/${coding}.css`, {
      headers: { "Content-Type": "text/css", "Content-Encoding": coding },
      content: { size: text.length, text },
      response: { bodySize: wire.length },
    });
  const { recording, bodyOf, leftOut } = recordingOf([
    html("https://a.test/"),
    style("gzip"),
    style("br"),
    style("zstd"),
  ]);
  assert.deepEqual(bodyOf("https://a.test/gzip.css"), wire);
  for (const coding of ["br", "zstd"]) {
    const body = bodyOf(`https://a.test/${coding}.css`);
    assert.equal(brotliDecompressSync(body).toString(), text);
    assert.ok(Math.abs(body.length - wire.length) < 0.25 * wire.length, `${coding}: ${body.length} for ${wire.length}`);
  }
  assert.deepEqual(
    recording.exchanges.map(({ headers }) => new Map(headers).get("content-encoding")),
    [undefined, "gzip", "br", "br"],
  );
  assert.match(
    leftOut,
    /^1 entry with a content coding that the lab does not support: compressed by Brotli instead \(number 4\)$/m,
  );
});

test("filler replaces missing bodies and missing parts of bodies; a response from a cache is kept only if there is none from the network", () => {
  const cached = { entry: { _fromCache: "disk" }, headers: { "Content-Type": "image/png" } };
  const { all, bodyOf, leftOut } = recordingOf([
    html("https://a.test/"),
    entryOf("https://a.test/photo.jpg", {
      headers: { "Content-Type": "image/jpeg" },
      content: { size: 5000 },
      response: { bodySize: 5000 },
    }),
    entryOf("https://a.test/cut.css", {
      headers: { "Content-Type": "text/css" },
      content: { size: 900, text: "p{}" },
      response: { bodySize: 900 },
    }),
    entryOf("https://a.test/photo.jpg", cached),
    entryOf("https://a.test/logo.png", { ...cached, content: { size: 3, text: "eHh4", encoding: "base64" } }),
    entryOf("https://a.test/same.css", { status: 304, content: { size: 2, text: "b{" } }),
  ]);
  assert.deepEqual(all.slice(1), [
    "GET https://a.test/photo.jpg 200",
    "GET https://a.test/cut.css 200",
    "GET https://a.test/logo.png 200",
    "GET https://a.test/same.css 200",
  ]);
  assert.equal(bodyOf("https://a.test/photo.jpg").length, 5000);
  assert.match(bodyOf("https://a.test/cut.css").toString("latin1"), /^p\{\}.{897}$/s);
  assert.equal(bodyOf("https://a.test/logo.png").toString(), "xxx");
  for (const sentence of [
    /^1 entry without a body: filler of the same size and type is kept instead \(number 2\)$/m,
    /^1 entry with a truncated body: padded with filler; .* \(number 3\)$/m,
    /^1 entry from a cache, for a request that also has a response from the network \(number 4\)$/m,
    /^1 entry with status 304: kept as 200/m,
  ])
    assert.match(leftOut, sentence);
});

test("two names become one host if they have the same address and share a TLS connection", () => {
  const on = (host: string, address: string, connection: string) =>
    entryOf(`https://${host}/x`, { status: 404, entry: { serverIPAddress: address, connection } });
  const { recording } = recordingOf([
    html("https://a.test/"),
    on("b.test", "1.1.1.1", "12"),
    on("c.test", "1.1.1.1", "12"),
    on("d.test", "1.1.1.1", "13"),
    on("e.test", "2.2.2.2", "443"),
    on("f.test", "2.2.2.2", "443"),
  ]);
  assert.deepEqual(
    recording.hosts.map(({ names }) => names.join(" ")),
    ["a.test", "b.test c.test", "d.test", "e.test", "f.test"],
  );
});

/** Producers whose HARs lack the size of the decoded body, so that the recording assumes a size. */
const withoutDecodedSize = /without|only headers/;

for (const { name, write, hasBodies } of producers)
  test(`a page recorded by ${name} keeps its content codings and nearly its sizes`, () => {
    const page = samplePage("a.test", 1);
    const entries = page.map((sent, i) => {
      const { entry, response, content, timings } = write(sent);
      const text = hasBodies === false ? undefined : sent.text;
      return {
        startedDateTime: new Date(1_767_000_000_000 + i).toISOString(),
        time: 5,
        timings,
        request: { method: "GET", url: sent.url },
        response: { status: 200, ...response, content: { ...content, text } },
        ...entry,
      };
    });
    const { recording, bodyOf } = recordingOf(entries);
    for (const { url, wireBytes, isCoded, bytes } of page) {
      const body = bodyOf(url);
      const found = recording.exchanges.find((one) => one.url === url);
      assert.ok(Math.abs(body.length - wireBytes) <= 0.1 * wireBytes + 300, `${url}: ${body.length} for ${wireBytes}`);
      const coding = new Map(found?.headers).get("content-encoding");
      if (isCoded) assert.equal(coding, "gzip", url);
      if (coding !== "gzip" || withoutDecodedSize.test(name)) continue;
      const decoded = gunzipSync(body).length;
      assert.ok(Math.abs(decoded - bytes) <= 0.1 * bytes, `${url}: ${decoded} for ${bytes}`);
    }
  });
