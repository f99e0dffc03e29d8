import assert from "node:assert/strict";
import { test } from "node:test";
import { entryOf, htmlOf, tryImport } from "../har/try-import.fixture.ts";
import { encodedText, textForm } from "./text-encoding.ts";

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
    "windows-1252 by its meta element",
    base64(Buffer.from(document("windows-1252"), "latin1")),
    rewritten("windows-1252"),
    (bytes) => bytes.toString("latin1"),
  ],
  [
    "latin1 by its header",
    { ...base64(Buffer.from(document(""), "latin1")), type: "text/html; charset=ISO-8859-1" },
    rewritten(""),
    (bytes) => bytes.toString("latin1"),
  ],
  [
    "UTF-16 by its byte order mark",
    base64(Buffer.from(`\ufeff${document("")}`, "utf16le")),
    `\ufeff${rewritten("")}`,
    (bytes) => bytes.toString("utf16le"),
  ],
  [
    "UTF-16, big-endian",
    base64(bigEndian(`\ufeff${document("utf-8")}`)),
    `\ufeff${rewritten("utf-8")}`,
    (bytes) => Buffer.from(bytes).swap16().toString("utf16le"),
  ],
  ["UTF-8", base64(Buffer.from(document("utf-8"))), rewritten("utf-8"), (bytes) => bytes.toString("utf8")],
  [
    "windows-1252, recorded as text",
    { text: document("windows-1252") },
    rewritten("windows-1252"),
    (bytes) => bytes.toString("latin1"),
  ],
  [
    "UTF-16, recorded as text",
    { text: document(""), type: "text/html;charset=utf-16" },
    `\ufeff${rewritten("")}`,
    (bytes) => bytes.toString("utf16le"),
  ],
];
for (const [what, more, text, decoded] of recordings)
  test(`HTML in ${what} keeps its bytes, and its references find their files`, () => {
    const { contents, unnamed } = tryImport([htmlOf("", more), ...files]);
    assert.equal(decoded(contents.get("index.html")!), text);
    assert.deepEqual(unnamed, []);
  });

test("texts are encoded as they declare, and characters that the encoding lacks become character references", () => {
  const bytes = (charset: string, text: string) => [...encodedText(text, { type: "text/html", charset })];
  assert.deepEqual(bytes("windows-1252", "€"), [0x80]);
  assert.deepEqual(bytes("iso-8859-1", "ä日"), [0xe4, ...Buffer.from("&#26085;")]);
  assert.deepEqual(bytes("shift_jis", "日a"), [0x93, 0xfa, 0x61]);
  assert.deepEqual(bytes("gbk", "日"), [0xc8, 0xd5]);
  assert.deepEqual(bytes("x-none", "ä"), [0xc3, 0xa4]);
  assert.equal(textForm(Buffer.from([0x80]), { type: "text/html", charset: "windows-1252" }).read("\u0080"), "€");
});

test("a byte order mark counts before the header, the header before the text, and JSON is UTF-8", () => {
  const meta = "<meta charset=windows-1252>";
  const utf8 = Buffer.from("ä").toString("hex");
  for (const [text, type, charset, end] of [
    ["ä", "text/javascript", "iso-8859-1", "e4"],
    ["ä", "text/plain", "iso-8859-1", "e4"],
    ["日", "text/javascript", "iso-8859-1", "3f"],
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
  ] as const) {
    const bytes = encodedText(text, { type, charset });
    const aim = Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(end, "hex")]);
    assert.equal(bytes.toString("hex"), aim.toString("hex"), `${type} ${charset}: ${text}`);
    if (end !== "3f") assert.equal(textForm(bytes, { type, charset }).read(end === "e4" ? "\u00e4" : "ä"), "ä");
  }
});

test("outside of UTF-8, the query of a reference is requested in the document's encoding", () => {
  const url = (charset: string, text: string) => {
    const type = "text/html";
    return textForm(encodedText(text, { type, charset }), { type, charset }).url(
      encodedText(text, { type, charset }).toString(charset === "utf-8" ? "utf8" : "latin1"),
    );
  };
  assert.equal(url("windows-1252", "/ä?q=ä€&b#ä"), "/ä?q=%E4%80&b#ä");
  assert.equal(url("windows-1252", "#ä?ä"), "#ä?ä");
  assert.equal(url("shift_jis", "?日本"), "?%93%FA%96{");
  assert.equal(url("utf-8", "?ä"), "?ä");
});

for (const encoding of ["%E4", "%C3%A4"])
  test(`a reference in windows-1252 finds what was requested with ${encoding}`, () => {
    const text = "<link rel=stylesheet href='/a.css'><img src='/b?q=ä'>";
    const { unnamed } = tryImport([
      htmlOf(text, { type: "text/html; charset=windows-1252" }),
      entryOf("/a.css", { type: "text/css; charset=windows-1252", text: "a{b:url('/c?q=ä')}" }),
      entryOf(`/b?q=${encoding}`, { type: "image/png", text: "x" }),
      entryOf(`/c?q=${encoding}`, { type: "image/png", text: "x" }),
    ]);
    assert.deepEqual(unnamed, []);
  });
