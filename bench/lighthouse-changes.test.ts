/** Tests that each change alters a folder's files as Lighthouse's audit suggests. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { AuditId } from "./lighthouse.ts";
import { changedCopy, lighthouseChanges, withoutOthers } from "./lighthouse-changes.ts";

const scratch = mkdtempSync(join(tmpdir(), "lighthouse-changes-"));
after(() => rmSync(scratch, { recursive: true }));
let made = 0;

const html = `<!doctype html><link rel=stylesheet href=style.css><script src=app.js></script><img src="a b.png"><img src=c.png>`;

function folderWith(start: string): string {
  const folder = join(scratch, String(++made));
  mkdirSync(folder);
  const files = {
    "index.html": start,
    "style.css": "p{color:red}",
    "app.js": "1",
    "a b.png": "x".repeat(1000),
    "c.png": "",
  };
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  return folder;
}

/** Changes a new folder. @returns the content of the file at `path` after the change, or null if nothing could be changed */
function afterwards(
  id: AuditId,
  items: { url: string; totalBytes?: number; wastedBytes?: number }[],
  path = "index.html",
) {
  const folder = folderWith(html);
  const to = changedCopy(folder, `${folder}-after`, lighthouseChanges[id], { details: { items } });
  assert.equal(readFileSync(join(folder, "index.html"), "utf8"), html, "the folder itself stays as it is");
  return to && readFileSync(join(to, path), "utf8");
}
const at = (path: string) => `http://127.0.0.1:8000/${path}`;

test("render-blocking style sheets move into the HTML, and render-blocking scripts get defer", () => {
  const text = afterwards("render-blocking-resources", [{ url: at("style.css") }, { url: at("app.js") }])!;
  assert.match(text, /<style[^>]*>p\{color:red\}<\/style>/);
  assert.match(text, /<script defer[^>]* src=app\.js>/);
  assert.doesNotMatch(text, /rel=stylesheet/);
});

test("the largest image is preloaded, and images off the screen get loading=lazy", () => {
  assert.match(afterwards("prioritize-lcp-image", [{ url: at("c.png") }])!, /rel=.?preload[^>]*c\.png/);
  const text = afterwards("offscreen-images", [{ url: at("c.png") }])!;
  assert.match(text, /<img loading="lazy" src=c\.png>/);
  assert.doesNotMatch(text, /lazy" src="a b/);
});

test("an image loses the share of its bytes that the audit calls wasted", () => {
  const item = { url: at("a%20b.png"), totalBytes: 500, wastedBytes: 200 };
  assert.equal(afterwards("modern-image-formats", [item], "a b.png")!.length, 600);
  assert.equal(afterwards("modern-image-formats", [{ url: item.url }], "a b.png"), null, "no bytes are wasted");
});

test("an audit that names only files of other hosts, or no files, changes nothing", () => {
  assert.equal(afterwards("render-blocking-resources", [{ url: "https://other.test/x.js" }]), null);
  assert.equal(afterwards("modern-image-formats", []), null);
});

test("URLs of other hosts are removed from elements that load files, but not from <a> elements", () => {
  const folder = folderWith(
    `<script src="https://other.test/a.js"></script><link rel=stylesheet href='//other.test/b.css'><script src=app.js></script><a href=https://other.test/>link</a>`,
  );
  withoutOthers(folder);
  const text = readFileSync(join(folder, "index.html"), "utf8");
  assert.doesNotMatch(text, /a\.js|b\.css/);
  assert.match(text, /<script src=app\.js>.*<a href=https:\/\/other\.test\/>/);
});
