import assert from "node:assert/strict";
import { test } from "node:test";
import { gzip } from "pako";
import { entryOf, htmlOf, tryImport } from "./try-import.fixture.ts";

const packedBytes = (content: Buffer | undefined) => gzip(content!, { level: 9 }).length;
const isNear = (bytes: number, aim: number) => assert.ok(Math.abs(bytes - aim) <= 0.02 * aim, `${bytes}, not ${aim}`);

test("if an entry's size is -1, the import uses the entry's bodySize", () => {
  const { contents } = tryImport([
    entryOf("/", { type: "text/html", size: -1, bodySize: 20_000 }),
    entryOf("/a.css", { size: -1, bodySize: 30_000 }),
    entryOf("/p.png", { type: "image/png", size: -1, bodySize: 50_000 }),
  ]);
  assert.deepEqual(
    [...contents.values()].map(({ length }) => length),
    [30_000, 20_000, 50_000],
  );
  isNear(packedBytes(contents.get("a.css")), 30_000);
});

test("a truncated body is padded to its full size, and compresses to its recorded size on the network", () => {
  const text = `var a = 1;${" ".repeat(990)}`;
  const { contents, sentences } = tryImport([
    htmlOf("<script src=/a.js></script>"),
    entryOf("/a.js", { type: "text/javascript", text, size: 93_868, bodySize: 33_000 }),
    entryOf("/p.png", {
      type: "image/png",
      text: Buffer.from("PNG").toString("base64"),
      encoding: "base64",
      size: 7000,
    }),
  ]);
  const script = contents.get("a.js")!;
  assert.equal(script.length, 93_868);
  assert.equal(script.toString("latin1").slice(0, 1003), `${text}/* `);
  isNear(packedBytes(script), 33_000);
  assert.equal(contents.get("p.png")!.length, 7000);
  assert.match(sentences, /2 bodies were truncated .* \(entry 2 with 1000 of 93868 B, 3 with 3 of 7000 B\)/);
});

test("a body that its server did not compress is sent uncompressed", () => {
  const text = "a{color:red}\n".repeat(4000);
  const { page, contents, sentences } = tryImport([
    htmlOf("<p>"),
    entryOf("/filler.css", { size: 90_000, bodySize: 90_000, compression: 0 }),
    entryOf("/body.css", { text, size: text.length, bodySize: text.length }),
    entryOf("/header.css", { text, headers: [{ name: "Content-Type", value: "text/css" }] }),
    entryOf("/packed.css", { text, headers: [{ name: "content-encoding", value: "br" }], bodySize: text.length }),
    entryOf("/unknown.css", { text }),
  ]);
  assert.deepEqual(page.uncompressed, ["filler.css", "body.css", "header.css"]);
  isNear(packedBytes(contents.get("filler.css")), 90_000);
  assert.match(sentences, /3 texts were sent uncompressed in the recording, and the lab does the same/);
});

test("a file of unknown size gets an assumed size and is reported; a file that was recorded as empty stays empty", () => {
  const { contents, sentences } = tryImport([
    htmlOf("<p>"),
    entryOf("/unknown.css", { size: -1, bodySize: -1 }),
    entryOf("/zero.css", { size: 0, bodySize: -1 }),
    entryOf("/empty.css", { size: 0, bodySize: 0 }),
    entryOf("/pixel", { type: "image/gif", size: 0, bodySize: -1, _transferSize: 160 }),
    entryOf("/none", { status: 204, type: "image/gif" }),
    entryOf("/known.css", { size: 4000, bodySize: 1500 }),
  ]);
  const bytes = [...contents].map(([path, { length }]) => [path.replace(/~.*/, ""), length]);
  assert.deepEqual(Object.fromEntries(bytes), {
    ...{ "index.html": 3, "unknown.css": 4000, "zero.css": 4000, "known.css": 4000 },
    ...{ "empty.css": 0, pixel: 0, none: 0 },
  });
  assert.match(sentences, /2 sizes are not recorded: .* \(entry 2, 3\)/);
});

test("a file from a cache gets filler that compresses to a third of the recorded size, and the import reports that no size on the network was recorded", () => {
  const { contents, sentences } = tryImport([
    htmlOf("<p>"),
    entryOf("/a.css", { size: 60_000, bodySize: 0, _transferSize: 0, entry: { _fromCache: "disk" } }),
    entryOf("/b.css", { size: 60_000, bodySize: 0, status: 304, _transferSize: 180 }),
  ]);
  for (const path of ["a.css", "b.css"]) isNear(packedBytes(contents.get(path)), 20_000);
  assert.match(sentences, /3 sizes on the network are not recorded/);
});

test("a 304 without Content-Encoding does not count as an uncompressed text", () => {
  const text = "a{color:red}\n".repeat(4000);
  const not = { status: 304, headers: [{ name: "ETag", value: "x" }], bodySize: 0 };
  const { page } = tryImport([htmlOf(text, not), entryOf("/a.css", { text, ...not })]);
  assert.deepEqual(page.uncompressed, []);
});

test("an entry with cache.beforeRequest counts as cached only if its body took no bytes on the network", () => {
  const entry = { cache: { beforeRequest: { eTag: "x", hitCount: 1 } } };
  const { contents, sentences } = tryImport([
    htmlOf("<p>"),
    entryOf("/network.css", { size: 90_000, bodySize: 39_000, entry }),
    entryOf("/cache.css", { size: 90_000, bodySize: 0, entry }),
  ]);
  isNear(packedBytes(contents.get("network.css")), 39_000);
  isNear(packedBytes(contents.get("cache.css")), 30_000);
  assert.match(sentences, /2 sizes on the network are not recorded/);
});

test("the size on the network is bodySize if _transferSize has only the headers' size, and is _transferSize if bodySize is the decoded size", () => {
  const { contents } = tryImport([
    htmlOf("<p>"),
    entryOf("/a.css", { size: 90_000, bodySize: 39_000, _transferSize: 120 }),
    entryOf("/b.css", { size: 90_000, bodySize: 90_000, _transferSize: 39_200 }),
  ]);
  for (const path of ["a.css", "b.css"]) isNear(packedBytes(contents.get(path)), 39_000);
});

test("if the lab sends more or fewer bytes than were recorded, the import reports both numbers for each media type", () => {
  const text = Array.from({ length: 5000 }, (_, i) => `a${i}{top:${i * i}px}`).join("");
  const { sentences } = tryImport([htmlOf("<p>"), entryOf("/a.css", { text, size: text.length, bodySize: 9000 })]);
  assert.match(sentences, /text\/css: the recording has 9\.0 kB on the network, but the lab sends \d+(\.\d)? kB/);
});
