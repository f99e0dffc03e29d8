import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { readImportedPage } from "./imported-page.ts";
import { buildImportedPage } from "./variant.ts";

const folder = mkdtempSync(join(tmpdir(), "lab-copies-"));
after(() => rmSync(folder, { recursive: true }));

const script = "const answer = 42;\n".repeat(100);
const files: Record<string, string> = {
  "index.html": `<script src=app.js></script><img src=a.png>${"text ".repeat(300)}`,
  "app.js": script,
  "app.js.gz": "the author's own",
  "short.css": "a{}",
  "a.png": "x".repeat(5000),
  "data.gz": "not a copy of another file",
};
mkdirSync(`${folder}/mine`);
for (const [path, text] of Object.entries(files)) writeFileSync(`${folder}/mine/${path}`, text);

test("in every variant, texts of 1,000 bytes or more have copies compressed by gzip and Brotli", async () => {
  const variants = ["h1", "h2"].map((name) => ({
    hostCount: 1,
    protocol: { name, scheme: "https" as const, port: 4430 },
  }));
  await buildImportedPage(readImportedPage("mine", `${folder}/mine`), `${folder}/built`, variants);
  const built = (path: string) => readFileSync(`${folder}/built/1-h2/${path}`);
  assert.deepEqual(readdirSync(`${folder}/built/1-h2`).sort(), [
    "a.png",
    "app.js",
    "app.js.br",
    "app.js.gz",
    "data.gz",
    "index.html",
    "index.html.br",
    "index.html.gz",
    "short.css",
  ]);
  assert.equal(gunzipSync(built("app.js.gz")).toString(), script);
  assert.equal(brotliDecompressSync(built("app.js.br")).toString(), script);
  assert.deepEqual(gunzipSync(built("index.html.gz")), built("index.html"));
  assert.equal(statSync(`${folder}/built/1-h1/app.js.gz`).ino, statSync(`${folder}/built/1-h2/app.js.gz`).ino);
});

test("a file that page.yml lists under uncompressed has no compressed copies", async () => {
  const page = { ...readImportedPage("mine", `${folder}/mine`), uncompressed: ["app.js"] };
  const protocol = { name: "h2", scheme: "https" as const, port: 4430 };
  await buildImportedPage(page, `${folder}/plain`, [{ hostCount: 1, protocol }]);
  const built = readdirSync(`${folder}/plain/1-h2`);
  assert.deepEqual(built.filter((name) => /^app|^index/.test(name)).sort(), [
    "app.js",
    "index.html",
    "index.html.br",
    "index.html.gz",
  ]);
  writeFileSync(`${folder}/mine/page.yml`, "uncompressed: [none.js]");
  assert.throws(() => readImportedPage("mine", `${folder}/mine`), /page.yml: uncompressed: there is no file "none.js"/);
  rmSync(`${folder}/mine/page.yml`);
});

test("compressed copies have the same bytes on every machine", () => {
  const hashes = ["gz", "br"].map((ending) =>
    createHash("sha256")
      .update(readFileSync(`${folder}/built/1-h1/app.js.${ending}`))
      .digest("hex")
      .slice(0, 16),
  );
  assert.deepEqual(hashes, ["1493fb6b1fa41626", "fc859029cd533b81"]);
});
