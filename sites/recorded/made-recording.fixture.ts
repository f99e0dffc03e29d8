/** Writes a small recorded page, as the recorder would. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sha256 } from "../../schema/sha256.ts";
import { bodiesFolder, type Exchange, type Recording, recordingFile } from "./recording.ts";

/** A response to be recorded. */
export interface Made {
  url: string;
  method?: string;
  status?: number;
  headers?: [string, string][];
  /** The body, which is compressed if `gzip` is set. */
  body?: string | Buffer;
  gzip?: boolean;
  sent?: string;
  waitMs?: number;
}

/** @param hosts the names of each host @returns the folder */
export function makeRecording(
  folder: string,
  hosts: string[][],
  made: readonly Made[],
  more: Partial<Recording> = {},
): string {
  mkdirSync(join(folder, bodiesFolder), { recursive: true });
  const exchanges = made.map(
    ({ url, method = "GET", status = 200, headers = [], body, gzip, sent, waitMs }, i): Exchange => {
      const content = body === undefined ? undefined : gzip ? gzipSync(body) : Buffer.from(body);
      if (content) writeFileSync(join(folder, bodiesFolder, sha256(content)), content);
      return {
        ...{ method, url, status, waitMs: waitMs ?? null, startMs: i },
        headers: [...headers, ...(gzip ? ([["content-encoding", "gzip"]] as [string, string][]) : [])],
        ...(content && { body: { sha256: sha256(content), bytes: content.length } }),
        ...(sent !== undefined && { sent: { sha256: sha256(sent), bytes: Buffer.byteLength(sent) } }),
      };
    },
  );
  const recording: Recording = {
    recordingVersion: 1,
    url: made[0]!.url,
    recordedAt: "2026-11-28T12:00:00.000Z",
    recordedBy: "a test",
    hosts: hosts.map((names) => ({ names, handshakeMs: 20 })),
    exchanges,
    leftOut: [],
    ...more,
  };
  writeFileSync(join(folder, recordingFile), JSON.stringify(recording));
  return folder;
}

const html: [string, string][] = [["content-type", "text/html; charset=utf-8"]];
const script: [string, string][] = [["content-type", "text/javascript"]];
const shared: [string, string][] = [["access-control-allow-origin", "*"]];
const json: [string, string][] = [["content-type", "application/json"], ...shared];
const png: [string, string][] = [["content-type", "image/png"]];

/** A page with five host names on three hosts: a redirect, a script with a query and a POST, a preflight, pictures, a frame of another origin. */
export function makeSite(folder: string, picture: Buffer, scheme = "https"): string {
  const of = (name: string) => `${scheme}://${name}`;
  const [www, cdn, api, ads, frame] = [
    "www.shop.test",
    "cdn.shop.test",
    "api.other.test",
    "ads.third.test",
    "frame.third.test",
  ].map(of) as [string, string, string, string, string];
  const order = JSON.stringify({ order: 7 });
  const code = `fetch("${api}/list?page=2&t=" + Date.now() + "&r=" + Math.random()).then((list) => list.json()).then(({ picture }) => {
    document.images[1].src = picture;
  });
  fetch("${api}/order", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ order: 7 }) });`;
  return makeRecording(
    folder,
    [["www.shop.test", "cdn.shop.test"], ["api.other.test"], ["ads.third.test", "frame.third.test"]],
    [
      { url: `${www}/`, status: 302, headers: [["location", "/start?from=root"]] },
      {
        url: `${www}/start?from=root`,
        headers: html,
        gzip: true,
        waitMs: 70,
        body: `<!doctype html><html><head><title>Shop</title><link rel=stylesheet href="${cdn}/style.css"></head>
<body><h1>A shop that was recorded</h1><img src="${cdn}/one.png" width=300 height=200><img width=300 height=200 src="${ads}/banner.png?place=top">
<iframe src="${frame}/inner.html"></iframe><script src="${cdn}/code.js?v=3"></script></body></html>`,
      },
      { url: `${cdn}/style.css`, headers: [["content-type", "text/css"]], body: "body { font-family: sans-serif }" },
      { url: `${cdn}/one.png`, headers: png, body: picture },
      { url: `${ads}/banner.png?place=top`, headers: png, body: picture },
      { url: `${frame}/inner.html`, headers: html, body: `<p>A frame</p><img src="/dot.png">` },
      { url: `${cdn}/code.js?v=3`, headers: script, body: code, gzip: true },
      { url: `${frame}/dot.png`, headers: png, body: picture },
      {
        url: `${api}/list?page=2&t=1&r=0.1`,
        headers: json,
        body: JSON.stringify({ picture: `${cdn}/two.png` }),
        waitMs: 120,
      },
      {
        url: `${api}/order`,
        method: "OPTIONS",
        status: 204,
        headers: [
          ...shared,
          ["access-control-allow-headers", "content-type"],
          ["access-control-allow-methods", "POST"],
        ],
      },
      {
        url: `${api}/order`,
        method: "POST",
        status: 201,
        headers: json,
        body: JSON.stringify({ done: true }),
        sent: order,
      },
      { url: `${cdn}/two.png`, headers: png, body: picture },
    ],
  );
}

/** A page with two host names, recorded in a window of a phone's size. It requests a URL with the window's width and a private value, recorded as a hash. */
export function makePhoneSite(folder: string): string {
  const body = `<!doctype html><meta name=viewport content="width=device-width"><p>words<script>fetch("/" + innerWidth + "?token=secret");
fetch("https://b.test/" + devicePixelRatio)</script>`;
  return makeRecording(
    folder,
    [["a.test"], ["b.test"]],
    [
      { url: "https://a.test/", headers: html, body, waitMs: 60 },
      { url: "https://a.test/412?token=hash-2bb80d537b", headers: json, body: "{}" },
      { url: "https://a.test/412?token=hash-0000000000", status: 403, headers: json, body: "{}" }, // the response to another value of the parameter
      { url: "https://b.test/1.75", headers: json, body: "{}" },
    ],
    { view: { width: 412, height: 823, mobile: true, scale: 1.75 } },
  );
}
