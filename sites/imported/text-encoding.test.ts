import assert from "node:assert/strict";
import { test } from "node:test";
import { entryOf, htmlOf, tryImport } from "../har/try-import.fixture.ts";
import { bytesAlone, textAlone, textForm, textWithHeader } from "./text-encoding.ts";

const document = (charset: string) =>
  `<!doctype html>${charset && `<meta charset=${charset}>`}<link rel=stylesheet href="/a.css"><img src="/ä.png"><p>äöü`;
const files = [entryOf("/a.css", { text: "a{}" }), entryOf("/ä.png", { type: "image/png", text: "x" })];
const base64 = (bytes: Buffer) => ({ text: bytes.toString("base64"), encoding: "base64" });
const rewritten = (charset: string) => document(charset).replace("/a.css", "a.css").replace("/ä.png", "%C3%A4.png");

const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();
const recordings: [
  what: string,
  more: { text: string; encoding?: string; type?: string },
  text: string,
  decoded: (bytes: Buffer) => string,
][] = [
  [
    "windows-1252, declared by its meta element,",
    base64(Buffer.from(document("windows-1252"), "latin1")),
    rewritten("windows-1252"),
    (bytes) => bytes.toString("latin1"),
  ],
  [
    "latin1, declared only by its header,",
    { ...base64(Buffer.from(document(""), "latin1")), type: "text/html; charset=ISO-8859-1" },
    `\ufeff${rewritten("")}`,
    (bytes) => bytes.toString("utf8"),
  ],
  [
    "UTF-16 with a byte order mark",
    base64(Buffer.from(`\ufeff${document("")}`, "utf16le")),
    `\ufeff${rewritten("")}`,
    (bytes) => bytes.toString("utf16le"),
  ],
  [
    "big-endian UTF-16",
    base64(bigEndian(`\ufeff${document("utf-8")}`)),
    `\ufeff${rewritten("utf-8")}`,
    (bytes) => Buffer.from(bytes).swap16().toString("utf16le"),
  ],
  ["UTF-8", base64(Buffer.from(document("utf-8"))), rewritten("utf-8"), (bytes) => bytes.toString("utf8")],
  [
    "windows-1252, recorded as text,",
    { text: document("windows-1252") },
    rewritten("windows-1252"),
    (bytes) => bytes.toString("latin1"),
  ],
  [
    "UTF-16, recorded as text,",
    { text: document(""), type: "text/html;charset=utf-16" },
    `\ufeff${rewritten("")}`,
    (bytes) => bytes.toString("utf16le"),
  ],
];
for (const [what, more, text, decoded] of recordings)
  test(`HTML in ${what} keeps its text when it is imported, and its references find their files`, () => {
    const { contents, unnamed } = tryImport([htmlOf("", more), ...files]);
    assert.equal(decoded(contents.get("index.html")!), text);
    assert.deepEqual(unnamed, []);
  });

test("textWithHeader uses the header's encoding; characters that the encoding lacks become character references", () => {
  const bytes = (charset: string, text: string) => [...textWithHeader(text, { type: "text/html", charset })];
  assert.deepEqual(bytes("windows-1252", "€"), [0x80]);
  assert.deepEqual(bytes("iso-8859-1", "ä日"), [0xe4, ...Buffer.from("&#26085;")]);
  assert.deepEqual(bytes("shift_jis", "日a"), [0x93, 0xfa, 0x61]);
  assert.deepEqual(bytes("gbk", "日"), [0xc8, 0xd5]);
  assert.deepEqual(bytes("x-none", "ä"), [0xc3, 0xa4]);
  assert.deepEqual(bytes("euc-jp", "日"), [0xc6, 0xfc]);
  assert.deepEqual(bytes("iso-2022-jp", "a"), [0x61]);
  assert.deepEqual(bytes("iso-2022-jp", "日"), [0xef, 0xbb, 0xbf, ...Buffer.from("日")]);
  const meta = Buffer.from("<meta charset=windows-1252>");
  assert.equal(textForm(meta, { type: "text/html", charset: null }).read("\u0080"), "€");
});

const meta = "<meta charset=windows-1252>";
const utf8 = Buffer.from("ä").toString("hex");
const mark = "efbbbf";

test("textWithHeader uses the encoding of the byte order mark, else of the header, else of the text's declaration; for JSON it uses UTF-8", () => {
  for (const [text, type, charset, end] of [
    ["ä", "text/javascript", "iso-8859-1", "e4"],
    ["ä", "text/plain", "iso-8859-1", "e4"],
    ["ä", "application/json", "iso-8859-1", utf8],
    ["ä", "application/ld+json", "iso-8859-1", utf8],
    ["ä", "image/svg+xml", "iso-8859-1", "e4"],
    ['<?xml version="1.0" encoding="iso-8859-1"?><a>ä', "text/xml", null, "e4"],
    ['<?xml version="1.0" encoding="iso-8859-1"?><a>ä', "application/xml", "utf-8", utf8],
    [`${meta}ä`, "text/html", null, "e4"],
    [`${meta}ä`, "text/html", "utf-8", utf8],
    [`\ufeff${meta}ä`, "text/html", "windows-1252", utf8],
    ["<meta charset=utf-8>ä", "text/html", "windows-1252", "e4"],
    ['@charset "utf-8";ä', "text/css", "windows-1252", "e4"],
  ] as const)
    assert.equal(
      textWithHeader(text, { type, charset }).toString("hex"),
      Buffer.from(text.slice(0, -1)).toString("hex") + end,
      `${type} ${charset}: ${text}`,
    );
});

test("textAlone uses the encoding that the text declares, else UTF-8, with a byte order mark if browsers would otherwise guess the encoding", () => {
  for (const [text, type, charset, start, end] of [
    [`${meta}ä`, "text/html", "utf-8", "", "e4"],
    ["<meta charset=utf-8>ä", "text/html", "windows-1252", "", utf8],
    ["<p>ä", "text/html", "windows-1252", mark, utf8],
    ["<p>ä", "text/html", null, mark, utf8],
    ["\ufeffä", "text/html", "windows-1252", "", utf8],
    ["a", "text/html", "windows-1252", "", "61"],
    ['@charset "iso-8859-1";ä', "text/css", "utf-8", "", "e4"],
    ["ä", "text/css", "iso-8859-1", mark, utf8],
    ["ä", "text/javascript", "iso-8859-1", mark, utf8],
    ["ä", "application/json", "iso-8859-1", "", utf8],
    ["ä", "image/svg+xml", "iso-8859-1", "", utf8],
    ['<?xml version="1.0" encoding="iso-8859-1"?><a>ä', "text/xml", "utf-8", "", "e4"],
    ["<meta charset=iso-2022-jp>ä", "text/html", null, mark, utf8],
  ] as const)
    assert.equal(
      textAlone(text, { type, charset }).toString("hex"),
      start + Buffer.from(text.slice(0, -1)).toString("hex") + end,
      `${type} ${charset}: ${text}`,
    );
});

test("the import ignores the charset of a text's header, and does not count an added byte order mark as a wrong size", () => {
  const { contents, sentences } = tryImport([
    htmlOf(`${meta}ä`, { type: "text/html; charset=utf-8" }),
    entryOf("/a.js", { type: "text/javascript; charset=iso-8859-1", text: "x='ä日'", size: 9 }),
  ]);
  assert.equal(contents.get("index.html")!.toString("latin1"), `${meta}ä`);
  assert.equal(contents.get("a.js")!.toString(), "\ufeffx='ä日'");
  assert.doesNotMatch(sentences, /smaller than the recorded body/);
});

test("bytesAlone converts a text to UTF-8 with a byte order mark if the header gives an encoding that the text itself does not declare", () => {
  const latin1 = Buffer.from("ä", "latin1");
  const html = (text: string, charset: string | null, encoding: BufferEncoding = "utf8") =>
    bytesAlone(Buffer.from(text, encoding), { type: "text/html", charset }).toString("hex");
  const hex = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding).toString("hex");
  assert.equal(html("ä", "utf-8"), mark + utf8);
  assert.equal(html(`${meta}ä`, "utf-8"), mark + hex(`${meta}ä`));
  assert.equal(html("ä", "windows-1252", "latin1"), mark + utf8);
  assert.equal(html("ä", "utf-16le", "utf16le"), mark + utf8);
  assert.equal(html("\u001b$BF|", "iso-2022-jp"), mark + hex("日"));
  for (const same of [`${meta}ä`, "<p>ä"]) assert.equal(html(same, null, "latin1"), hex(same, "latin1"));
  assert.equal(html(`${meta}ä`, "windows-1252", "latin1"), hex(`${meta}ä`, "latin1"));
  assert.equal(bytesAlone(latin1, { type: "image/png", charset: "utf-8" }), latin1);
});

test("a script with a character that its encoding lacks becomes UTF-8 with a byte order mark", () => {
  const script = { type: "text/javascript", charset: "iso-8859-1" };
  for (const bytes of [textAlone("x='ä日'", script), textWithHeader("x='ä日'", script)])
    assert.equal(bytes.toString(), "\ufeffx='ä日'");
});

test("a reference's query is percent-encoded in the document's encoding if the document is not in UTF-8", () => {
  const url = (charset: string, text: string) => {
    const declared = { type: "text/html", charset };
    return textForm(textAlone(text, declared), declared).url(text);
  };
  assert.equal(url("windows-1252", "/ä?q=ä€&b#ä"), "/ä?q=%E4%80&b#ä");
  assert.equal(url("windows-1252", "#ä?ä"), "#ä?ä");
  assert.equal(url("shift_jis", "?日本"), "?%93%FA%96{");
  assert.equal(url("utf-8", "?ä"), "?ä");
});

for (const encoding of ["%E4", "%C3%A4"])
  test(`a reference with "ä" in a windows-1252 text finds the file that was requested with ${encoding}`, () => {
    const text = "<link rel=stylesheet href='/a.css'><img src='/b?q=ä'>";
    const { unnamed } = tryImport([
      htmlOf(text, { type: "text/html; charset=windows-1252" }),
      entryOf("/a.css", { type: "text/css; charset=windows-1252", text: "a{b:url('/c?q=ä')}" }),
      entryOf(`/b?q=${encoding}`, { type: "image/png", text: "x" }),
      entryOf(`/c?q=${encoding}`, { type: "image/png", text: "x" }),
    ]);
    assert.deepEqual(unnamed, []);
  });
