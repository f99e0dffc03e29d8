/** `./lab page record` saves what a browser asks a server for, and `page import` makes the same page of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { importHar } from "../pages/har/import-har.ts";
import { ExitCode } from "../schema/errors.ts";
import { lab } from "./lab.ts";

const files: Record<string, [type: string, body: string]> = {
  "/": [
    "text/html",
    `<!doctype html><title>Mine</title><link rel=stylesheet href=/s.css><img src="a%20b.svg"><img src=/old.svg><img src=/none.svg>
<script>fetch("/data.json")</script>`,
  ],
  "/s.css": ["text/css", "body { color: green }"],
  "/a%20b.svg": ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`],
  "/new.svg": ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>`],
  "/data.json": ["application/json", "[1]"],
};
const server = createServer(({ url = "" }, response) => {
  if (url === "/old.svg") return void response.writeHead(301, { location: "/new.svg" }).end();
  const [type, body] = files[url] ?? [];
  response.writeHead(body === undefined ? 404 : 200, type ? { "content-type": type } : {}).end(body);
});
let folder: string;
let origin: string;
before(async () => {
  folder = mkdtempSync(`${tmpdir()}/lab-record-test-`);
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const record = (url: string, file: string) => lab(["page", "record", url, "--file", file]);

test("`page import` makes a page with the same files from what `page record` saved", { timeout: 120_000 }, async () => {
  const har = `${folder}/mine.har`;
  const { code, stdout, stderr } = await record(`${origin}/`, har);
  assert.deepEqual([code, stdout], [ExitCode.done, `${har}\n`], stderr);
  importHar(har, "mine", folder);
  assert.deepEqual(readdirSync(`${folder}/mine`).sort(), [
    "a b.svg",
    "data.json",
    "index.html",
    "new.svg",
    "page.yml",
    "s.css",
  ]);
  assert.equal(readFileSync(`${folder}/mine/data.json`, "utf8"), "[1]");
  assert.match(readFileSync(`${folder}/mine/index.html`, "utf8"), /href="s\.css".*src="new\.svg".*none\.svg/s);
});

test("a wrong URL and a server that does not answer each give one message", { timeout: 120_000 }, async () => {
  const none = await record("mine", `${folder}/none.har`);
  assert.deepEqual([none.code, /"mine" is no URL of a page/.test(none.stderr)], [ExitCode.usage, true], none.stderr);
  const silent = await record("http://127.0.0.1:1/", `${folder}/none.har`);
  assert.equal(silent.code, ExitCode.failed);
  assert.match(silent.stderr, /^lab: cannot record http:\/\/127\.0\.0\.1:1\/: net::ERR_UNSAFE_PORT/);
});
