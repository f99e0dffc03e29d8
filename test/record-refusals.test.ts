/** Sites that cannot be recorded, and recordings that are interrupted. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import type { Resolve } from "../clients/recorder/origin-connections.ts";
import type { SiteVisit } from "../clients/recorder/visit-page.ts";
import { type Answer, send, serveNamed } from "./named-sites.ts";
import { oneSite, visited } from "./recorder-visits.ts";

const html =
  (text: string): Answer =>
  (_, __, response) =>
    send(response, "text/html", text);

const problems: [string, Partial<SiteVisit> & { url: string }, Answer, RegExp][] = [
  ["an unknown host", { url: "https://no.test/" }, html(""), /^https:\/\/no\.test\/: no such host/],
  ["a closed port", { url: "https://a.test:8443/" }, html(""), /the connection was refused/],
  [
    "an invalid certificate",
    { url: "https://a.test/", insecure: false },
    html(""),
    /certificate is not valid \(DEPTH_ZERO_SELF_SIGNED_CERT\); --insecure/,
  ],
  [
    "a login",
    { url: "https://a.test/" },
    (_, __, response) => response.writeHead(401, { "www-authenticate": "Basic" }).end(),
    /it needs a login \(status 401\), and credentials are not supported/,
  ],
  ["a missing page", { url: "https://a.test/" }, (_, __, response) => response.writeHead(404).end("no"), /status 404/],
  [
    "a download",
    { url: "https://a.test/" },
    (_, __, response) => send(response, "application/zip", "PK"),
    /application\/zip, but a page starts with HTML/,
  ],
  [
    "HTML that is served as a download",
    { url: "https://a.test/" },
    (_, __, response) => send(response, "text/html", "x", { "content-disposition": "attachment" }),
    /it is a download, not a page/,
  ],
  [
    "a large download",
    { url: "https://a.test/" },
    (_, __, response) => {
      response.writeHead(200, { "content-type": "application/zip" });
      sendMegabytes(response, 20);
    },
    /application\/zip, but a page starts with HTML/,
  ],
  [
    "an image",
    { url: "https://a.test/" },
    (_, __, response) => send(response, "image/svg+xml", "<svg/>"),
    /image\/svg\+xml, but/,
  ],
  [
    "a redirect loop",
    { url: "https://a.test/" },
    (_, __, response) => response.writeHead(302, { location: "/" }).end(),
    /it redirects in a circle/,
  ],
  [
    "a document without an end",
    { url: "https://a.test/", seconds: 2 },
    (_, __, response) => response.writeHead(200, { "content-type": "text/html" }).write("<p>"),
    /no complete response within 2 s \(--seconds\)/,
  ],
  ["a broken response", { url: "https://a.test/" }, (_, { socket }) => socket.destroy(), /https:\/\/a\.test\/: /],
  [
    "more than 200 MB of responses",
    { url: "https://a.test/" },
    ({ pathname }, _, response) =>
      pathname === "/"
        ? send(response, "text/html", "<script>fetch('/film').then((r) => r.blob())</script>")
        : sendMegabytes(response, 210),
    /more than the 200 MB that are allowed; nothing was kept/,
  ],
];

function sendMegabytes(response: Parameters<Answer>[2], megabytes: number): void {
  if (megabytes === 0) response.end();
  else if (response.write(Buffer.alloc(1e6))) setImmediate(sendMegabytes, response, megabytes - 1);
  else response.once("drain", () => sendMegabytes(response, megabytes - 1));
}

for (const [name, visit, answer, message] of problems)
  test(`a recording fails, and the error names the reason: ${name}`, async () => {
    const hosts = await oneSite(answer);
    const resolve: Resolve = (hostname, port) =>
      port === 8443 ? Promise.resolve([{ address: "127.0.0.1", port: 1 }]) : hosts(hostname, port);
    await assert.rejects(visited(resolve, visit), { name: "LabError", exitCode: 1, message });
  });

test("a recording fails, and the error names the reason: more than 32 host names", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${i}.test`);
  const images = names.map((name) => `<img src="https://${name}/">`).join("");
  const resolve = await serveNamed([{ names, answer: html(images) }]);
  await assert.rejects(visited(resolve, { url: "https://n0.test/" }), /more than the 32 host names.*: n0\.test, /);
});

test("an interrupted recording leaves no files", async () => {
  const scratch = () => readdirSync(tmpdir()).filter((name) => name.startsWith("lab-record-"));
  const before = scratch();
  const stop = new AbortController();
  const resolve = await oneSite((_, __, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<p>");
    setTimeout(() => stop.abort(new Error("stopped")), 200);
  });
  await assert.rejects(visited(resolve, { url: "https://a.test/" }, stop.signal), /^Error: stopped$/);
  assert.deepEqual(scratch(), before);
});
