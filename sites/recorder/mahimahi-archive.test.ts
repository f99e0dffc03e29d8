/** Tests recordings from archives of mahimahi. The test writes the files in the format that mahimahi's .proto file describes. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { readMahimahiArchive } from "./mahimahi-archive.ts";
import { readFields } from "./protobuf-fields.ts";

const folder = mkdtempSync(`${tmpdir()}/mahimahi-`);
after(() => rmSync(folder, { recursive: true }));
let count = 0;

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}
const field = (number: number, bytes: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(Buffer.byteLength(bytes))]), Buffer.from(bytes)]);
const numberField = (number: number, value: number): Buffer => Buffer.from([...varint(number * 8), ...varint(value)]);

type Message = [firstLine: string, headers: Record<string, string>, body?: string];
const message = ([firstLine, headers, body = ""]: Message): Buffer =>
  Buffer.concat([
    field(1, firstLine),
    ...Object.entries(headers).map(([name, value]) => field(2, Buffer.concat([field(1, name), field(2, value)]))),
    field(3, body),
  ]);
const saved = (scheme: number, request: Message, response: Message): Buffer =>
  Buffer.concat([
    field(1, "192.0.2.1"),
    numberField(2, 443),
    numberField(3, scheme),
    field(4, message(request)),
    field(5, message(response)),
  ]);

function folderOf(files: Buffer[]): string {
  const name = `${folder}/${count++}`;
  mkdirSync(name);
  for (const [i, file] of files.entries()) writeFileSync(`${name}/save.${i}`, file);
  return name;
}

const page = saved(
  2,
  ["GET /home HTTP/1.1", { Host: "a.test", Accept: "text/html,*/*" }],
  ["HTTP/1.1 200 OK", { "Content-Type": "text/html", "Transfer-Encoding": "chunked" }, "2\r\nHi\r\n0\r\n\r\n"],
);

test("an archive of mahimahi becomes a recording: the document first, chunked bodies decoded, and one host for each name", () => {
  const { url, exchanges, names, leftOut } = readMahimahiArchive(
    folderOf([
      saved(
        1,
        ["POST /cart HTTP/1.1", { Host: "b.test:8080", "Content-Length": "6" }, "item=7"],
        ["HTTP/1.1 200 OK", { "Content-Length": "300" }, "x".repeat(300)],
      ),
      page,
    ]),
  );
  assert.equal(url, "https://a.test/home");
  assert.deepEqual(
    exchanges.map(({ method, url, sent, body }) => `${method} ${url} ${sent.length} ${body.length}`),
    ["GET https://a.test/home 0 2", "POST http://b.test:8080/cart 6 300"],
  );
  assert.deepEqual(
    names.map(({ name }) => name),
    ["a.test", "b.test:8080"],
  );
  assert.match(leftOut[0] ?? "", /^order, times and certificates, which an archive of mahimahi does not have/);
});

const refused: [string, Buffer[], RegExp][] = [
  ["another format", [page, Buffer.from("PK and more")], /save\.1 is not a request that mahimahi's mm-webrecord saved/],
  ["half a file", [page.subarray(0, 100)], /save\.0 is not a request/],
  ["a file without a response", [field(1, "192.0.2.1")], /save\.0 is not a request/],
  ["an empty folder", [], /has no HTML document/],
];
for (const [name, files, message] of refused)
  test(`readMahimahiArchive refuses ${name}`, () => {
    assert.throws(() => readMahimahiArchive(folderOf(files)), { name: "LabError", exitCode: 2, message });
  });

test("readFields returns the numbers and byte strings in a Protocol Buffers message, and null for bytes that are not a message", () => {
  assert.deepEqual(readFields(Buffer.concat([numberField(2, 300), field(1, "ab")])), [
    { number: 2, value: 300 },
    { number: 1, bytes: Buffer.from("ab") },
  ]);
  for (const bytes of [[0x0a], [0x0a, 0x05, 1], [0x0d, 1, 2, 3, 4], [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]])
    assert.equal(readFields(Buffer.from(bytes)), null, bytes.join());
});
