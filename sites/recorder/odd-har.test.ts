/** Tests that HARs with invalid values become recordings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import jpeg from "jpeg-js";
import { entryOf, html, recordingOf } from "./har-recording.fixture.ts";

test("an invalid entry is left out and reported with its number, and the other entries are kept", () => {
  const { all, leftOut, recording } = recordingOf(
    [
      html("https://a.test/"),
      entryOf("https://a.test/space", { method: "G T" }),
      entryOf("https://a.test/half", { status: 200.5 }),
      entryOf("https://a.test/late", { entry: { startedDateTime: 1e300 } }),
    ],
    { creator: { name: "Two\nlines", version: "1" } },
  );
  assert.deepEqual(all, ["GET https://a.test/ 200", "GET https://a.test/late 200"]);
  assert.match(leftOut, /^1 entry left out: its method is invalid \("G T"\) \(number 2\)$/m);
  assert.match(leftOut, /^1 entry without a response \(number 3\)$/m);
  assert.equal(recording.recordedBy, "Two\\nlines 1");
});

test("if the only time in a HAR is invalid, recordedAt is the current time", () => {
  for (const startedDateTime of [1e300, 1.7e15, "+055840-01-01T00:00:00Z"]) {
    const { recording } = recordingOf([{ ...html("https://a.test/"), startedDateTime }]);
    assert.ok(Math.abs(Date.parse(recording.recordedAt) - Date.now()) < 60_000, `${startedDateTime}`);
  }
});

test("a text with status 304 becomes a compressed response with status 200 and the HAR's media type", () => {
  const text = "p{color:red}".repeat(500);
  const not = (url: string, mimeType: string) =>
    entryOf(url, { status: 304, headers: { ETag: "x" }, content: { mimeType, text }, response: { bodySize: 0 } });
  const { recording, bodyOf } = recordingOf([not("https://a.test/", "text/html"), not("https://a.test/a", "text/css")]);
  for (const [i, type] of ["text/html", "text/css"].entries()) {
    const { url, status, headers } = recording.exchanges[i]!;
    assert.equal(status, 200);
    assert.deepEqual(headers.slice(1), [
      ["content-type", type],
      ["content-encoding", "gzip"],
    ]);
    assert.equal(gunzipSync(bodyOf(url)).toString(), text);
  }
});

test("a script with an old media type and without headers is compressed if it was smaller on the network than decoded", () => {
  const content = { mimeType: "application/x-javascript", text: "x();".repeat(2000) };
  const { bodyOf } = recordingOf([
    html("https://a.test/"),
    entryOf("https://a.test/a", { content, response: { bodySize: 900 } }),
  ]);
  assert.equal(gunzipSync(bodyOf("https://a.test/a")).toString(), content.text);
});

test("texts are encoded as their headers declare; a script with characters that this encoding lacks becomes UTF-8", () => {
  const text = (url: string, type: string, content: string) =>
    entryOf(url, { headers: { "Content-Type": type }, content: { text: content } });
  const { bodyOf } = recordingOf([
    text("https://a.test/", "text/html; charset=utf-8", "<meta charset=windows-1252>ä"),
    text("https://a.test/a.js", "text/javascript; charset=iso-8859-1", "x='ä'"),
    text("https://a.test/b.js", "text/javascript; charset=iso-8859-1", "x='ä日'"),
  ]);
  assert.equal(bodyOf("https://a.test/").toString(), "<meta charset=windows-1252>ä");
  assert.equal(bodyOf("https://a.test/a.js").toString("latin1"), "x='ä'");
  assert.equal(bodyOf("https://a.test/b.js").toString(), "\ufeffx='ä日'");
});

test("a response to a POST does not replace a cached response to a GET of the same URL", () => {
  const api = (more: object) => entryOf("https://a.test/api", more);
  const { all } = recordingOf([html("https://a.test/"), api({ status: 304 }), api({ method: "POST" })]);
  assert.deepEqual(all.slice(1), ["GET https://a.test/api 200", "POST https://a.test/api 200"]);
});

test("no part of a recording contains user names and passwords, even if they contain quotes or slashes", () => {
  const { recording, bodyOf, leftOut } = recordingOf(
    [
      entryOf("https://jane:s'cret@a.test/", { headers: { "Content-Type": "text/html" }, content: { size: 900 } }),
      entryOf("https://a.test/old", { status: 302, headers: { Location: "https://jane:s'cret@a.test/new?sid=1" } }),
      entryOf("https://a.test/odd", { status: 302, headers: { Location: 'https://jane:s/c"ret@a.test/new' } }),
      entryOf("https://jane:s/cret@a.test/x"),
    ],
    { pages: [{ id: "1", title: "Run of https://jane:s'cret@a.test/" }] },
  );
  const page = bodyOf("https://a.test/").toString();
  assert.match(page, /<title>Run of https:\/\/a\.test\/<\/title>/);
  assert.match(leftOut, /its URL is invalid \("https:\/\/a\.test\/x"\)/);
  assert.doesNotMatch(JSON.stringify(recording) + page, /jane|cr"?et/);
});

test("filler for a picture can be decoded, even if the recorded picture was truncated or smaller than any real picture", () => {
  const picture = (name: string, mimeType: string, content: object) =>
    entryOf(`https://a.test/${name}`, { content: { mimeType, ...content }, headers: { "Content-Type": mimeType } });
  const { bodyOf, leftOut } = recordingOf([
    html("https://a.test/"),
    picture("a", "image/webp", { size: 9000 }),
    picture("b", "image/avif", { size: 9000, text: Buffer.alloc(100).toString("base64"), encoding: "base64" }),
    picture("c", "image/png", { size: 8 }),
    entryOf("https://a.test/d", { content: { mimeType: "image/png", size: 20 }, response: { bodySize: 20 } }),
  ]);
  for (const name of ["a", "b"]) {
    const body = bodyOf(`https://a.test/${name}`);
    assert.equal(body.length, 9000);
    assert.ok(jpeg.decode(body).width > 1);
  }
  for (const name of ["c", "d"]) assert.match(bodyOf(`https://a.test/${name}`).toString("latin1"), /^GIF89a.{29}$/s);
  assert.match(
    leftOut,
    /^2 entries with a picture that is larger than recorded, because no smaller picture exists \(number 4, 5\)$/m,
  );
});
