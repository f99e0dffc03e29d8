/** An imported page on the virtual clock: its loads are valid, whatever the names of its files; altered evidence is reported. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { renderVerification } from "../harness/verify/verification.ts";
import { ExitCode } from "../schema/errors.ts";
import type { ConnectionEvidence, Evidence } from "../schema/evidence.ts";
import { makeImage } from "../sites/image.ts";
import { importedFile } from "../sites/paths.ts";
import { type RunFiles, readFiles, take, verifyFiles } from "./forgeries/run-files.ts";
import { LabCopy, only } from "./lab.ts";
import type { Site } from "./sites.ts";

const picture = (size: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"/>`;
const markup = (body: string) => `<!doctype html><meta charset=utf-8><title>imported</title>${body}`;
const pages: Record<string, Site> = {
  // The last script forces a layout: otherwise the background might be requested only after the load event.
  small: {
    "index.html": markup(
      `<link rel=stylesheet href=style.css><script src=code.txt></script><iframe src=frame></iframe>
<img src="with space.svg"><img src="100%25.svg"><img src="ä/日本.svg"><img src="q%3Fx.svg"><img src=text.png><img src=none.svg>
<img src="https://outside.example/x.png"><script>document.body.offsetWidth</script>`,
    ),
    "style.css": "body { background: url(ground.svg) }",
    "ground.svg": picture(3),
    "code.txt": `/* a script of a type that is none */ document.write('<img src="/from%20the/root.svg">')`,
    "from the/root.svg": picture(8),
    "frame/index.html": markup("a frame"),
    "with space.svg": picture(4),
    "100%.svg": picture(5),
    "ä/日本.svg": picture(6),
    "q?x.svg": picture(7),
    "text.png": "no picture",
  },
  // Every kind of request that the load event does not wait for.
  late: {
    "index.html": markup(
      `<link rel=preload as=image href=unused.svg><p>words<iframe src=frame></iframe>
<script type=speculationrules>{"prefetch":[{"urls":["next.html"],"eagerness":"immediate"}]}</script><script type=module src=main.js></script>
<script>navigator.serviceWorker.register("sw.js"); new Worker("worker.js"); new SharedWorker("shared.js"); fetch("unread.json");
onload = () => { fetch("kept.json", { keepalive: true }); setTimeout(() => { new Image().src = "timer.svg" }, 1500) }</script>`,
    ),
    "main.js": `const { src } = await (await fetch("data.json")).json(); const image = new Image(); image.src = src; document.body.append(image)`,
    "data.json": `{ "src": "hero.jpg" }`,
    "hero.jpg": makeImage("jpeg", 200_000, 0).file,
    "sw.js": `addEventListener("install", (event) => event.waitUntil(caches.open("all").then((cache) => cache.addAll(["kept.bin"]))))`,
    "kept.bin": Buffer.alloc(300_000, 1),
    "worker.js": `importScripts("imported.js"); fetch("worker.json")`,
    "imported.js": "0",
    "shared.js": `fetch("shared.json")`,
    "frame/index.html": markup(`<script>setTimeout(() => fetch("frame.json"), 200)</script>`),
    ...Object.fromEntries(["unread", "kept", "worker", "shared", "frame/frame"].map((name) => [`${name}.json`, "{}"])),
    ...Object.fromEntries(["unused", "timer"].map((name, i) => [`${name}.svg`, picture(20 + i)])),
    "next.html": markup("next"),
  },
  // The page opens a dialog, a window and a web socket, and cancels a request.
  asking: {
    "index.html": markup(
      `<img src=a.svg><img id=other src=large.jpg><script>alert("hello"); window.open("large.jpg"); setTimeout(() => { other.src = "a.svg" }, 60);
new WebSocket(location.origin.replace("http", "ws") + "/socket")</script>`,
    ),
    "a.svg": picture(11),
    "large.jpg": makeImage("jpeg", 400_000, 0).file,
  },
  moved: { "index.html": markup(`<script>location.replace("home.html")</script>`), "home.html": markup("home") },
  polling: {
    "index.html": markup(`<p>words<script>let n = 0; setInterval(() => fetch("news.json?" + n++), 700)</script>`),
    "news.json": "{}",
  },
  endless: {
    "index.html": markup(
      `<img src=a.svg><script>const next = () => { const image = new Image(); image.onload = next; image.src = "a.svg?" + Math.random() }; next()</script>`,
    ),
    "a.svg": picture(9),
  },
};

let lab: LabCopy;
before(async () => {
  lab = await LabCopy.make({ virtualClock: true });
  for (const [page, files] of Object.entries(pages))
    for (const [path, text] of Object.entries(files)) lab.put(`pages/${page}/${path}`, text);
});
after(() => lab?.remove());

const runOf = (page: string) => {
  const conditions = only("servers=2", "link=20x2-20ms-0%", "initcwnd=10", "protocol=h1");
  return lab.virtualRun("--timeout", "5 s", ...conditions, "--with", `page=${page}`);
};

let files: RunFiles;
test("loads of an imported page over two hosts are valid, whatever characters are in its file names", async () => {
  const { code, stderr, folder } = await runOf("small");
  assert.equal(code, ExitCode.done, stderr);
  files = readFiles(folder);
  const { valid, loads } = verifyFiles(files);
  assert.deepEqual([valid, loads], [1, 1]);
  const statuses = files.loads[0]!.evidence.connections.flatMap(({ requests }) => requests.map(({ status }) => status));
  assert.deepEqual(statuses.sort(), [...Array<number>(11).fill(200), 404]);
});

/** Finds a request that neither a script nor a style sheet made, and the request's connection. */
function someOf({ connections }: Evidence) {
  const connection = connections.find(({ requests }) => requests.some(isSome))!;
  return { connection, request: connection.requests.find(isSome)! };
}
const isSome = ({ path }: ConnectionEvidence["requests"][number]) => path.endsWith("/with%20space.svg");

const forgeries: [what: string, forge: (evidence: Evidence) => void, message: RegExp][] = [
  [
    "a request that was removed from the evidence",
    (evidence) => {
      const { connection, request } = someOf(evidence);
      connection.requests = connection.requests.filter((one) => one !== request);
      evidence.requests--;
      evidence.receivedBytes -= request.bytes;
    },
    /with%20space\.svg \(200\) was learnt, but not requested/,
  ],
  [
    "a request with another path",
    (evidence) => Object.assign(someOf(evidence).request, { path: "/other.svg" }),
    /it requested s\d\.lab\/other\.svg \(200\), which was not learnt/,
  ],
  [
    "a response with another status",
    (evidence) => Object.assign(someOf(evidence).request, { status: 404 }),
    /it requested s\d\.lab\/with%20space\.svg \(404\), which was not learnt/,
  ],
  [
    "an incomplete response body",
    (evidence) => {
      const { request } = someOf(evidence);
      evidence.receivedBytes -= request.bytes - 10;
      request.bytes = 10;
    },
    /with%20space\.svg came with 10 bytes instead of \d+/,
  ],
];
for (const [what, forge, message] of forgeries)
  test(`verify reports ${what}`, () => {
    const forged = { ...files, loads: [...files.loads] };
    forge(take(forged, () => true).evidence);
    const verification = verifyFiles(forged);
    assert.deepEqual([verification.valid, verification.loads], [0, 1]);
    assert.match(renderVerification(verification), message);
  });

/** A run of pages that prevent their load event, or that request files after it. */
let odd: RunFiles;
let said: string;
const oddLoads = (page: string) => odd.loads.filter(({ condition }) => condition.includes(page));

test("if a page redirects to another page or never fires its load event, the run names and omits this page, and loads the other pages", async () => {
  const conditions = only("servers=1", "link=20x2-20ms-0%", "initcwnd=10", "protocol=h2");
  const given = ["--with", "page=moved,asking,late,polling,endless"];
  const { code, stderr, folder } = await lab.virtualRun("--timeout", "5 s", ...conditions, ...given);
  assert.equal(code, ExitCode.loadsMissing, stderr);
  assert.match(stderr, /^Left out: page moved did not load: after loading, index\.html goes on to home\.html \(/m);
  assert.match(stderr, /^Left out: page endless did not load: timeout: not loaded after 5 s$/m);
  assert.equal(stderr.match(/^Left out: /gm)?.length, 2);
  assert.doesNotMatch(stderr, /panic|early/);
  [odd, said] = [readFiles(folder), stderr];
  assert.deepEqual([verifyFiles(odd).valid, odd.loads.length], [3, 3]);
});

test("a page that opens a dialog is loaded, and the dialog is reported", () => {
  assert.match(said, /page asking, 1-h2-nginx-chromium: .*: alert\("hello"\)$/m);
  const loads = oddLoads("asking");
  assert.equal(loads.length, 1);
  for (const { evidence } of loads) assert.deepEqual(evidence.dialogs, [{ type: "alert", text: "hello" }]);
});

test("requests after the load event are recorded until the network is quiet", () => {
  const loads = oddLoads("late");
  assert.equal(loads.length, 1);
  for (const { evidence, pageLoadMs } of loads) {
    const requests = evidence.connections.flatMap((one) => one.requests);
    assert.equal(evidence.unanswered, undefined);
    const asked = requests.map(({ path }) => importedFile(path));
    assert.deepEqual(asked.toSorted(), Object.keys(pages.late!).toSorted());
    assert.equal(evidence.recordedUntil, "quiet");
    assert.ok(evidence.receivedBytes > 500_000, `${evidence.receivedBytes} bytes`);
    assert.ok(evidence.paint!.largestContentfulMs! > pageLoadMs, `${evidence.paint!.largestContentfulMs} ms`);
  }
});

test("a page that never stops polling is recorded until one time-out (5 s) has passed since its load event", () => {
  const loads = oddLoads("polling");
  assert.equal(loads.length, 1);
  for (const { evidence } of loads) assert.deepEqual([evidence.recordedUntil, evidence.requests], ["limit", 8]);
});
