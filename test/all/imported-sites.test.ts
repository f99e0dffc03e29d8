/** Imported pages with many kinds of files, and with recorded server times. ../imported-page.test.ts has the tests that always run. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { renderVerification } from "../../harness/verify/verification.ts";
import { ExitCode } from "../../schema/errors.ts";
import { readFiles, take, verifyFiles } from "../forgeries/run-files.ts";
import { LabCopy, only } from "../lab.ts";
import { type Site, sites } from "../sites.ts";

const slow: Site = {
  "page.yml": "serverTimes: {index.html: 300, a.svg: 400}",
  "index.html": "<!doctype html><meta charset=utf-8><title>imported</title><img src=a.svg>",
  "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>',
};

/** Fonts are requested without credentials, so fonts of another host need a second connection to that host. */
const fonts: Site = {
  "index.html": `<!doctype html><meta charset=utf-8><title>fonts</title><style>${[1, 2, 3, 4]
    .map((i) => `@font-face{font-family:f${i};src:url(${i}.ttf)} p:nth-of-type(${i}){font-family:f${i}}`)
    .join("\n")}</style><p>1<p>2<p>3<p>4${[1, 2, 3, 4].map((i) => `<img src=${i}.svg>`).join("")}`,
  ...Object.fromEntries([1, 2, 3, 4].map((i) => [`${i}.ttf`, readFileSync("pages/article/text.ttf")])),
  ...Object.fromEntries([1, 2, 3, 4].map((i) => [`${i}.svg`, slow["a.svg"]!])),
};

let lab: LabCopy;
before(async () => {
  lab = await LabCopy.make({ virtualClock: true });
  for (const [site, files] of Object.entries({ ...sites, slow, fonts }))
    for (const [path, content] of Object.entries(files)) lab.put(`pages/${site}/${path}`, content);
});
after(() => lab?.remove());

test("from one and from two hosts, loads of pages with fonts, modules, a service worker or lazy images are valid, and text files come compressed", async () => {
  const conditions = only("link=10x1-100ms-1%", "initcwnd=10");
  const given = ["page=article,app,shop", "protocol=h2", "servers=1,2"].flatMap((values) => ["--with", values]);
  const { code, stderr, folder } = await lab.virtualRun(...conditions, ...given);
  assert.equal(code, ExitCode.done, stderr);
  const loaded = readFiles(folder);
  assert.deepEqual([verifyFiles(loaded).valid, loaded.loads.length], [6, 6]);
  for (const { condition, evidence } of loaded.loads) {
    const requests = evidence.connections.flatMap((one) => one.requests);
    // Text files of 1,000 bytes or more are compressed. Shop's document is that long only with two hosts, because its URLs are then longer.
    assert.ok(
      requests.some(({ encoding }) => encoding === "gzip"),
      condition,
    );
    assert.ok(
      requests.every(({ path, encoding }) => encoding === undefined || !path.endsWith(".jpg")),
      condition,
    );
  }
  const { evidence } = take(loaded, () => true);
  for (const request of evidence.connections.flatMap((one) => one.requests)) delete request.encoding;
  assert.match(renderVerification(verifyFiles(loaded)), / came with content-encoding none instead of gzip/);
});

test("with serverTimes=recorded, a server waits before each file as long as page.yml says", async () => {
  const asked = ["page=slow", "server=node", "protocol=h1,h2", "serverTimes=none,recorded"];
  const conditions = only("servers=1", "link=20x2-20ms-0%", "initcwnd=10");
  const { code, stderr, folder } = await lab.virtualRun(
    ...conditions,
    ...asked.flatMap((values) => ["--with", values]),
  );
  assert.equal(code, ExitCode.done, stderr);
  const loaded = readFiles(folder);
  assert.equal(verifyFiles(loaded).valid, 4);
  const times = Object.fromEntries(loaded.loads.map(({ condition, pageLoadMs }) => [condition, pageLoadMs]));
  for (const protocol of ["h1", "h2"]) {
    const [none, recorded] = ["", "/server-times-recorded"].map(
      (id) =>
        Object.entries(times).find(([name]) => name.includes(`/${protocol}/`) && name.endsWith(id || "node"))?.[1],
    );
    assert.ok(recorded! - none! > 690 && recorded! - none! < 720, `${protocol}: ${none} and ${recorded} ms`);
  }
});

test("over HTTP/3, a load with two connections to one host is valid: the second connection makes a full handshake", async () => {
  const conditions = only("servers=2", "link=20x2-20ms-0%", "initcwnd=10");
  const asked = ["page=fonts", "server=nginx,caddy,haproxy", "protocol=h3"].flatMap((values) => ["--with", values]);
  const { code, stderr, folder } = await lab.virtualRun(...conditions, ...asked);
  assert.equal(code, ExitCode.done, stderr);
  const { loads } = readFiles(folder);
  assert.equal(verifyFiles(readFiles(folder)).valid, 3);
  for (const { condition, evidence } of loads)
    assert.equal(
      evidence.packets.quicFlows?.length,
      3,
      `${condition}: not two connections to one host and one to the other`,
    );
});
