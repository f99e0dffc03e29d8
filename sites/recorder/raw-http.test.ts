/** Tests reading HTTP/1.1 messages from bytes, including damaged messages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMessage } from "./raw-http.ts";

const read = (text: string) => {
  const found = readMessage(Buffer.from(text, "latin1"));
  return found && { ...found, body: found.body.toString("latin1") };
};
const ok = "HTTP/1.1 200 OK\r\n";

test("a body ends at its Content-Length, after its last chunk, or at the end of the data", () => {
  const length = read(`${ok}Content-Length: 3\r\nA: b: c \r\n\r\nabcd`);
  assert.deepEqual([length?.startLine, length?.body, length?.isCut], ["HTTP/1.1 200 OK", "abc", false]);
  assert.deepEqual(length?.headers, [
    ["Content-Length", "3"],
    ["A", "b: c"],
  ]);
  const chunked = read(`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=1\r\n0123456789\r\n0\r\nT: 1\r\n\r\n`);
  assert.deepEqual([chunked?.body, chunked?.isCut], ["abc0123456789", false]);
  assert.equal(
    read(`${ok}\r\n\r\n\xff`)?.body,
    "\xff".replace(/^/, "\r\n"),
    "the body begins after the first empty line",
  );
  assert.equal(read("GET / HTTP/1.1\nHost: a\n\nx")?.body, "x", "lines may end without CR");
  assert.deepEqual(read(`${ok}A: b\r\n c\r\n\r\n`)?.headers, [["A", "b c"]], "a header may continue");
});

test("readMessage reports a truncated body, ignores invalid headers, and returns null for bytes that are not a message", () => {
  for (const [text, body] of [
    [`${ok}Content-Length: 9\r\n\r\nabc`, "abc"],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n9\r\nabc`, "abc"],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n`, "abc"],
    [`${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc`, "abc"],
    [`${ok}Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\nabc`, ""],
  ] as const) {
    const found = read(text);
    assert.deepEqual([found?.body, found?.isCut], [body, true], text);
  }
  assert.equal(read(`${ok}Content-Length: -1\r\n\r\nabc`)?.body, "abc", "an invalid length is ignored");
  assert.deepEqual(read(`${ok}no header\r\n: x\r\nA b: c\r\n\r\n`)?.headers, []);
  for (const text of ["", "HTTP/1.1 200 OK\r\n", "\r\n\r\n", "x\r\n\r\n"]) assert.equal(read(text), null, text);
  assert.equal(read(`${ok}A: ${"x".repeat(300_000)}\r\n\r\n`), null, "headers without an end");
});
