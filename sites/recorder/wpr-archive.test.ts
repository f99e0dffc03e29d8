/** Tests recordings from archives of WprGo. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readRecording } from "../recorded/recording.ts";
import { readWprArchive } from "./wpr-archive.ts";
import { writeRecording } from "./write-recording.ts";

const folder = mkdtempSync(`${tmpdir()}/wpr-archive-`);
after(() => rmSync(folder, { recursive: true }));
let count = 0;

type Archived = [url: string, request: string, response: string | Buffer | null];

function fileOf(requests: Archived[]): string {
  const hosts: Record<string, Record<string, object[]>> = {};
  for (const [url, request, response] of requests) {
    const host = URL.canParse(url) ? new URL(url).host : url;
    const urls = hosts[host] ?? {};
    hosts[host] = urls;
    const one = {
      SerializedRequest: Buffer.from(request.replaceAll("\n", "\r\n")).toString("base64"),
      SerializedResponse: response === null ? null : Buffer.from(response).toString("base64"),
    };
    urls[url] = [...(urls[url] ?? []), one];
  }
  const file = `${folder}/${count++}.wprgo`;
  writeFileSync(file, gzipSync(JSON.stringify({ Requests: hosts, Certs: {}, NegotiatedProtocol: {} })));
  return file;
}

const document = (path: string) => `GET ${path} HTTP/1.1\nHost: a.test\nSec-Fetch-Dest: document\n\n`;
const page =
  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: Sat, 01 Mar 2025 10:00:00 GMT\r\nContent-Length: 2\r\n\r\nHi";
const script = brotliCompressSync("let a = 1");

test("a response with several media types is a document if the last one is HTML", () => {
  const typed = page.replace("text/html", "text/plain, text/html");
  assert.equal(readWprArchive(fileOf([["https://a.test/", document("/"), typed]])).url, "https://a.test/");
});

test("in the recording of an archive, the document and the redirects to the document come first, and compressed bodies stay compressed", () => {
  const coded = Buffer.concat([
    Buffer.from(`HTTP/2.0 200 OK\r\nContent-Encoding: br\r\nContent-Length: ${script.length}\r\n\r\n`),
    script,
  ]);
  const file = fileOf([
    [
      "https://a.test/api?sid=1",
      "POST /api?sid=1 HTTP/1.1\nHost: a.test\nContent-Length: 6\n\nitem=7",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=1\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ],
    ["https://a.test/home", document("/home"), page],
    ["https://cdn.test/a.js", "GET /a.js HTTP/1.1\nReferer: https://a.test/\n\n", coded],
    ["https://a.test/gone", "GET /gone HTTP/1.1\n\n", "HTTP/1.1 404 Not Found\r\n\r\n"],
    ["https://a.test/failed", "GET /failed HTTP/1.1\n\n", null],
    ["https://a.test/odd", "GET /odd HTTP/1.1\n\n", "ICY 200 OK\r\n\r\n"],
    ["https://a.test/cut", "GET /cut HTTP/1.1\n\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"],
    ["ftp://a.test/", "GET / HTTP/1.1\n\n", page],
    ["http://a.test/", document("/"), "HTTP/1.1 301 Moved Permanently\r\nLocation: https://a.test/home\r\n\r\n"],
  ]);
  writeRecording(`${folder}/page`, readWprArchive(file));
  const { url, recordedAt, exchanges, hosts, leftOut } = readRecording(`${folder}/page`);
  assert.equal(url, "http://a.test/");
  assert.equal(recordedAt, "2025-03-01T10:00:00.000Z");
  assert.deepEqual(
    exchanges.map((one) => `${one.method} ${one.url} ${one.status} ${one.body?.bytes ?? "-"}`),
    [
      "GET http://a.test/ 301 -",
      "GET https://a.test/home 200 2",
      "POST https://a.test/api?sid=hash-6b86b273ff 200 2",
      "GET https://a.test/gone 404 -",
      "GET https://a.test/cut 200 3",
      `GET https://cdn.test/a.js 200 ${script.length}`,
    ],
  );
  assert.equal(exchanges[2]?.sent?.bytes, 6);
  assert.deepEqual(readFileSync(`${folder}/page/bodies/${exchanges[5]?.body?.sha256}`), script);
  assert.deepEqual(
    hosts.map(({ names, handshakeMs }) => [...names, handshakeMs]),
    [
      ["a.test", null],
      ["cdn.test", null],
    ],
  );
  assert.deepEqual(leftOut, [
    "order, times and addresses, which an archive of WprGo does not have: each name becomes a separate host",
    '1 request: it failed when it was recorded ("https://a.test/failed")',
    '1 request: its response cannot be read ("https://a.test/odd")',
    '1 request: the body of its response is truncated; the first part is kept ("https://a.test/cut")',
    '1 request: its URL is not a valid http: or https: URL ("ftp://a.test/")',
    "cookies that 1 response set",
    "values of query parameters, replaced by a hash: sid (1)",
  ]);
});

test("readWprArchive refuses an archive with several pages unless the URL of one page is given; the error lists the pages' URLs", () => {
  const old = "GET /b HTTP/1.1\nAccept: text/html,*/*\n\n";
  const file = fileOf([
    ["https://a.test/a", document("/a"), page],
    ["https://a.test/b", old, page],
    ["https://a.test/frame", "GET /frame HTTP/1.1\nSec-Fetch-Dest: iframe\n\n", page],
  ]);
  assert.equal(readWprArchive(file, "https://a.test/b").url, "https://a.test/b");
  const pages = /its pages: "https:\/\/a\.test\/a", "https:\/\/a\.test\/b"$/;
  for (const [start, message] of [
    [undefined, /has several pages; give --url; /],
    ["https://a.test/c", /has no document at "https:\/\/a\.test\/c" \(--url\); /],
  ] as const) {
    assert.throws(() => readWprArchive(file, start), message);
    assert.throws(() => readWprArchive(file, start), pages);
  }
});

const refused: [string, string | Buffer, RegExp][] = [
  [
    "an archive without a page",
    readFileSync(fileOf([["https://a.test/", "GET / HTTP/1.1\n\n", page]])),
    /no HTML document with which a page could start/,
  ],
  ["a file that is not JSON", "PK", /is not a complete archive of WprGo: its JSON is invalid/],
  ["half an archive", gzipSync(JSON.stringify({ Requests: {} })).subarray(0, 20), /is compressed, but incomplete/],
  ["a HAR", JSON.stringify({ log: { entries: [] } }), /Requests/],
  ["values of wrong types", JSON.stringify({ Requests: { "a.test": { "https://a.test/": "x" } } }), /Requests/],
];
for (const [name, content, message] of refused)
  test(`readWprArchive refuses ${name}`, () => {
    writeFileSync(`${folder}/refused.wprgo`, content);
    assert.throws(() => readWprArchive(`${folder}/refused.wprgo`), { name: "LabError", exitCode: 2, message });
  });
