import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { entryOf, htmlOf, origin, tryImport } from "./try-import.fixture.ts";

const start = (more = {}) => htmlOf("<link rel=stylesheet href=/a.css>", more);

const answers: [what: string, entries: object[]][] = [
  ["cancelled, then 200", [entryOf("/a.css", { status: 0, size: 0 }), entryOf("/a.css", { text: "right" })]],
  [
    "without a body, then with one",
    [entryOf("/a.css", { size: 900, bodySize: 900 }), entryOf("/a.css", { text: "right" })],
  ],
  ["401, then 200", [entryOf("/a.css", { status: 401, text: "no" }), entryOf("/a.css", { text: "right" })]],
  ["200, then 304 without a body", [entryOf("/a.css", { text: "right" }), entryOf("/a.css", { status: 304 })]],
  [
    "304 with a body, then 200",
    [entryOf("/a.css", { status: 304, text: "old" }), entryOf("/a.css", { text: "right" })],
  ],
  [
    "a redirect to itself",
    [entryOf("/a.css", { status: 302, redirectURL: "/a.css" }), entryOf("/a.css", { text: "right" })],
  ],
  ["a part, then all", [entryOf("/a.css", { status: 206, text: "ri" }), entryOf("/a.css", { text: "right" })]],
  ["pushed without a status", [entryOf("/a.css", { status: -2, text: "right", entry: { _was_pushed: 1 } })]],
  [
    "a redirect with only the header Location",
    [
      entryOf("/a.css", { status: 302, redirectURL: "", headers: [{ name: "location", value: "b.css" }] }),
      entryOf("/b.css", { text: "right" }),
    ],
  ],
];
for (const [what, entries] of answers)
  test(`the import finds the body of a file that was recorded as "${what}"`, () => {
    const { contents, text, unnamed } = tryImport([start(), ...entries]);
    assert.equal(text("a.css") ?? text("b.css"), "right");
    assert.equal(contents.size, 2);
    assert.deepEqual(unnamed, []);
  });

test("a file that was recorded in parts of 30 and 50 kB, the first part twice, is imported with 80 kB; the import reports a pushed file", () => {
  const part = (from: number, bytes: number) =>
    entryOf("/v.mp4", {
      ...{ status: 206, type: "video/mp4", size: bytes, bodySize: bytes },
      headers: [{ name: "Content-Range", value: `bytes ${from}-${from + bytes - 1}/900000` }],
    });
  const pushed = entryOf("/a.css", { text: "a{}", entry: { _was_pushed: "1" } });
  const { contents, sentences } = tryImport([start(), part(0, 30_000), part(30_000, 50_000), part(0, 30_000), pushed]);
  assert.equal(contents.get("v.mp4")!.length, 80_000);
  assert.match(sentences, /1 file was pushed in the recording: the lab does not push, .* \(entry 5\)/);
});

const documents: [what: string, entries: object[], log?: object][] = [
  ["status 304", [start({ status: 304 })]],
  ["the method POST", [start({ method: "POST" })]],
  ["the type of XHTML", [start({ type: "application/xhtml+xml" })]],
  ["two types", [start({ type: "text/html, text/html; charset=utf-8" })]],
  ["another type before its own", [start({ type: "text/plain, text/html" })]],
  ["an invalid type", [start({ type: "x-unknown", text: "<!DOCTYPE html><link rel=stylesheet href=/a.css>" })]],
  ["a type only in its headers", [start({ type: "", headers: [{ name: "Content-Type", value: "text/html" }] })]],
  ["a 401 with a login page before it", [start({ status: 401, text: "<!doctype html>login" }), start()]],
  [
    "a POST for JSON after it",
    [start({ status: 304 }), entryOf("/", { method: "POST", type: "application/json", text: "{}" })],
  ],
  [
    "a POST for HTML after it",
    [start({ status: 304 }), entryOf("/", { method: "POST", type: "text/html", text: "part" })],
  ],
  ["another program's failure before it", [entryOf("https://a.test/a.js", { status: 0, type: "" }), start()]],
  ["another program's POST before it", [entryOf("https://a.test/", { status: 0, type: "", method: "POST" }), start()]],
  ["another program's 204 before it", [entryOf("http://a.test/generate_204", { status: 204, type: "" }), start()]],
  ["another program's 205 before it", [entryOf("http://a.test/reset", { status: 205, type: "" }), start()]],
  ["another program's blocked GET before it", [entryOf("http://ping.a.test/beat", { status: 0, type: "" }), start()]],
  [
    "another program's redirects to an unrecorded URL before it",
    [
      entryOf("http://a.test/", { status: 302, type: "", redirectURL: "/b" }),
      entryOf("http://a.test/b", { status: 302, type: "", redirectURL: "/c" }),
      start(),
    ],
  ],
  ["a redirect before it", [entryOf("http://example.test", { status: 301, redirectURL: `${origin}/` }), start()]],
];
for (const [what, entries, log] of documents)
  test(`the import takes the document, and not another host's frame, as the page if the document has ${what}`, () => {
    const frame = entryOf("https://ads.test/", { type: "text/html", text: "<p>advertisement" });
    const { text, pageFile } = tryImport([...entries, frame, entryOf("/a.css", { text: "a{}" })], log);
    assert.match(text("index.html")!, /href="?a\.css/);
    assert.match(pageFile, /source: HAR of https:\/\/www\.example\.test\//);
  });

test("if the first page load in a recording has no document, the second page load is imported", () => {
  const page = (id: string, entry: object) => ({ ...entry, pageref: id });
  const { pageFile, sentences } = tryImport([
    page("one", entryOf("/", { status: 302, type: "text/html" })),
    page("two", entryOf("/home", { type: "text/html", text: "<p>" })),
    page("three", entryOf("/later", { type: "text/html", text: "<p>" })),
  ]);
  assert.match(pageFile, /HAR of https:\/\/www\.example\.test\/home/);
  assert.match(sentences, /2 entries left out: part of another page load \(number 1, 3\)/);
});

const failures: [what: string, entry: object, message: RegExp][] = [
  ["has status 500", start({ status: 500 }), /the status of https:\/\/www\.example\.test\/ is 500/],
  ["has status 500 and is JSON", start({ status: 500, type: "application/json" }), /the status of .* is 500/],
  ["has no response", start({ status: 0, type: "" }), /https:\/\/www\.example\.test\/ has no response/],
  [
    "redirects to an unrecorded URL",
    entryOf("/", { status: 302, type: "", redirectURL: "/home" }),
    /test\/ redirects to .*\/home, which/,
  ],
  ["redirects in a loop", entryOf("/", { status: 302, redirectURL: "/" }), /test\/ redirects in a loop/],
  [
    "is a picture",
    entryOf("/", { type: "image/png", entry: { _resourceType: "document" } }),
    /has the type image\/png/,
  ],
];
for (const [what, entry, message] of failures)
  test(`if the page's own document ${what}, the import fails, and does not take another host's frame as the page`, () => {
    const frame = entryOf("https://ads.test/frame", { type: "text/html", text: "<p>" });
    const entries = [entry, entryOf("/a.css", { text: "a{}" }), frame];
    assert.throws(() => tryImport(entries), message);
    assert.throws(() => tryImport(entries), /if this URL is not the page's, remove its entry from the HAR/);
  });

test("a recording's title selects the page's document if the title is a URL, but not if it only contains a URL", () => {
  const entries = [start(), entryOf("https://widget.test/", { type: "text/html", text: "<p>" })];
  const titled = (title: string) => tryImport(entries, { pages: [{ id: "1", title }] }).pageFile;
  assert.match(titled("Try https://widget.test/ now"), /HAR of https:\/\/www/);
  assert.match(titled(" https://widget.test/#top"), /HAR of https:\/\/widget/);
});

test("the import sorts entries by time, also if times have zones, lack fractions or are missing", () => {
  const at = (time: unknown, entry: object) => ({ ...entry, startedDateTime: time });
  const frame = entryOf("https://ads.test/", { type: "text/html", text: "<p>" });
  for (const [first, second] of [
    ["2026-01-01T11:00:00.000+01:00", "2026-01-01T10:00:00.500Z"],
    ["2026-01-01T10:00:00Z", "2026-01-01T10:00:00.500Z"],
    ["2026-01-01T10:00:00.9999999+0000", "2026-01-01T10:00:01Z"],
    [1_767_261_600_000, 1_767_261_600_500],
    ["2026-01-01T10:00:00Z", undefined],
  ])
    assert.match(
      tryImport([at(first, start()), at(second, frame)]).pageFile,
      /HAR of https:\/\/www/,
      `${first} ${second}`,
    );
  assert.match(
    tryImport([at("2026-01-01T10:00:01+00:00", frame), at("2026-01-01T11:00:00+01:00", start())]).pageFile,
    /HAR of https:\/\/www/,
  );
});

test("an unreadable entry is left out, and reported with its number and the reason", () => {
  const { sentences, contents } = tryImport([
    start(),
    entryOf("https://"),
    { ...entryOf("/null.css"), response: null },
    entryOf("/status.css", { status: null }),
    null,
    { ...entryOf("/none.css"), request: null },
    entryOf("data:,x"),
    entryOf("/a.css", { status: "200", text: "a{}" }),
  ]);
  assert.deepEqual([...contents.keys()], ["a.css", "index.html"]);
  for (const sentence of [
    /1 entry left out: its URL is invalid \("https:\/\/"\) \(number 2\)/,
    /2 entries left out: no response was recorded \(number 3, 4\)/,
    /2 entries left out: no request was recorded \(number 5, 6\)/,
    /1 entry left out: not a GET over HTTP \(number 7\)/,
  ])
    assert.match(sentences, sentence);
});

test("compressed recordings and recordings in UTF-16 are read", () => {
  const utf16 = (json: string) => Buffer.from(`\ufeff${json}`, "utf16le");
  for (const packed of [
    gzipSync,
    utf16,
    (json: string) => utf16(json).swap16(),
    (json: string) => utf16(json).subarray(2),
  ])
    assert.equal(tryImport([htmlOf("<p>ü")], {}, packed).text("index.html"), "\ufeff<p>ü");
  assert.throws(
    () => tryImport([start()], {}, (json) => gzipSync(json).subarray(0, 40)),
    /is compressed, but incomplete/,
  );
});
