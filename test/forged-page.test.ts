/** Pages that forge their times, in Chromium as a lane starts it. The forgeries must not change what the lab records. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { PNG } from "pngjs";
import type { Browser } from "puppeteer-core";
import { coldLoad } from "../clients/chromium/cold-load.ts";
import { startBrowser } from "../clients/chromium/start-chromium.ts";
import { loadEventWitnesses } from "../harness/judge/load/load-event.ts";
import { paintProblems } from "../harness/judge/load/paint.ts";
import { type ClientEvidence, type Evidence, mostConsoleErrors } from "../schema/evidence.ts";
import { differentShare, type ShownWindow } from "../schema/picture.ts";
import { makeImage } from "../sites/image.ts";

/** How long the server takes for the parser-blocking script, and for the image after it, in milliseconds. */
const [scriptMs, imageMs] = [300, 500];
const head = "<!doctype html><meta charset=utf-8><title>x</title><link rel=icon href=data:,>";
const body = "<script src=wait.js></script><h1>Hello</h1><img src=a.jpg width=600 height=400>";

/** Scripts at the start of the page. Each forges times in another way, except `nothing`. */
const lies = {
  nothing: "",
  "the entries of Performance and its observer": `
    const was = Performance.prototype.getEntriesByType;
    const early = { startTime: 5, loadEventStart: 5, loadEventEnd: 6, toJSON: () => ({ loadEventStart: 5 }) };
    Performance.prototype.getEntriesByType = function (type) { return was.call(this, type).length ? [early] : []; };
    Performance.prototype.getEntriesByName = () => [early];
    window.PerformanceObserver = class { constructor(told) { this.told = told; }
      observe() { this.told({ getEntries: () => [early] }); } disconnect() {} };`,
  "getters of entries": `
    for (const [type, name] of [[PerformanceNavigationTiming, "loadEventStart"], [PerformanceNavigationTiming, "loadEventEnd"],
        [PerformanceEntry, "startTime"], [LargestContentfulPaint, "renderTime"]])
      Object.defineProperty(type.prototype, name, { get: () => 5 });`,
  "clocks, timers and frames": `
    Object.defineProperty(Performance.prototype, "timeOrigin", { get: () => Date.now() - 5 });
    Performance.prototype.now = () => 5;
    window.requestAnimationFrame = (run) => { run(5); return 1; };
    window.setTimeout = (run) => { run(); return 1; };
    window.Date = class extends Date { static now() { return 5; } };`,
  "properties of built-in objects": `
    Object.defineProperty(window, "performance", { value: { timeOrigin: 5, getEntriesByType: () => [], getEntriesByName: () => [] } });
    Array.prototype.map = () => []; Array.prototype.at = () => ({ startTime: 5 });
    window.Promise = class { then() {} }; JSON.stringify = () => "{}"; Object.fromEntries = () => ({});`,
  "state that all JavaScript worlds share": `
    performance.clearResourceTimings(); performance.setResourceTimingBufferSize(0);
    performance.mark("loadEventStart"); history.replaceState(null, "", "#other");
    addEventListener("load", () => { document.open(); document.write("<h1>Other</h1>"); document.close(); });`,
};

let browser: Browser;
const image = makeImage("jpeg", 20_000, 1).file;
/** An image whose decoding takes many frames. */
const largePng = PNG.sync.write(new PNG({ width: 6000, height: 6000 }));
let page = "";
const server = createServer(({ url = "" }, response) => {
  const answer = (type: string, content: string | Buffer) => response.setHeader("content-type", type).end(content);
  if (url.endsWith(".js")) setTimeout(answer, scriptMs, "text/javascript", "");
  else if (url.endsWith(".jpg")) setTimeout(answer, imageMs, "image/jpeg", image);
  else if (url.endsWith(".png")) answer("image/png", largePng);
  else answer("text/html", page);
});

before(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const scratch = mkdtempSync(`${tmpdir()}/forged-page-`);
  chmodSync(scratch, 0o755);
  const hosts = [{ service: "server1", name: "s1.lab", address: "127.0.0.1" }];
  browser = await startBrowser({ hosts, protocols: {}, authorities: [], scratch });
});
after(async () => {
  await browser.close();
  server.close();
});

async function loadOf(
  html: string,
  show?: (window: ShownWindow) => void,
  until: { timeoutMs: number; untilQuiet?: true } = { timeoutMs: 30_000 },
): Promise<ClientEvidence> {
  page = html;
  const { port } = server.address() as AddressInfo;
  const visit = { url: `http://s1.lab:${port}/`, ...until };
  return coldLoad(browser, visit, {
    ...(show && { show }),
    look: async ({ failure, evidence, afterwards }) => {
      assert.equal(failure, null);
      return { ...evidence, ...(await afterwards?.()) };
    },
  });
}

const endOf = ({ connections }: ClientEvidence, wanted: string) =>
  connections.flatMap(({ requests }) => requests).find(({ path }) => path === wanted)?.endMs ?? Number.NaN;

for (const [what, script] of Object.entries(lies))
  test(`a page that forges ${what} does not change the recorded times`, async () => {
    const evidence = await loadOf(`${head}<script>(() => {${script}})();</script>${body}`);
    const { timing, paint } = evidence;
    const imageEndMs = endOf(evidence, "/a.jpg");
    assert.ok(
      timing.loadEventStart! >= imageEndMs,
      `load event at ${timing.loadEventStart} ms, before the image's end at ${imageEndMs} ms`,
    );
    assert.ok(timing.loadEventStart! < imageEndMs + 2000);
    assert.ok(paint!.firstContentfulMs >= endOf(evidence, "/wait.js"), JSON.stringify(paint));
    assert.equal(paint!.byProtocol?.image?.url.endsWith("/a.jpg"), true, JSON.stringify(paint));
    assert.ok(paint!.largestContentfulMs! >= imageEndMs, JSON.stringify(paint));
    assert.deepEqual(
      evidence.connections.flatMap(({ requests }) => requests.filter((one) => one.nonBlocking)),
      [],
    );
    assert.deepEqual(loadEventWitnesses(evidence as Evidence), []);
    assert.deepEqual(paintProblems(evidence as Evidence, undefined, {}), []);
  });

test("an image that is decoded long after the load event is the largest paint", async () => {
  const { paint } = await loadOf(
    `${head}<h1>Hello</h1><script src=wait.js></script><img decoding=sync src=large.png width=600 height=400>`,
  );
  assert.equal(paint!.byProtocol?.image?.url.endsWith("/large.png"), true, JSON.stringify(paint));
});

test("a page that never stops requesting images has a first paint, and its largest paint is unknown", async () => {
  const asking = `<script>setInterval(() => { new Image().src = Math.random() + ".jpg"; }, 100)</script>`;
  const evidence = await loadOf(`${head}<h1>Hello</h1>${asking}`, undefined, { timeoutMs: 5000, untilQuiet: true });
  const { paint, recordedUntil, cumulativeLayoutShift } = evidence;
  assert.equal(recordedUntil, "limit");
  assert.ok(paint!.firstContentfulMs > 0, JSON.stringify(paint));
  assert.equal(paint!.byProtocol!.firstContentfulMs > 0, true, JSON.stringify(paint));
  assert.deepEqual([paint!.largestContentfulMs, cumulativeLayoutShift], [undefined, undefined]);
  assert.deepEqual(paintProblems(evidence as Evidence, undefined, {}), []);
  const byProtocol = { ...paint!.byProtocol!, largestMs: 100 };
  const known = { ...evidence, recordedUntil: "quiet", paint: { ...paint, byProtocol } } as Evidence;
  assert.deepEqual(paintProblems(known, undefined, {}), ["its evidence lacks the largest paint"]);
});

test("a page of inline SVG has a first paint, although nothing on it counts as a largest paint", async () => {
  const evidence = await loadOf(`${head}<svg width=300 height=200><rect width=300 height=200 fill=red /></svg>`);
  assert.ok(evidence.paint!.firstContentfulMs > 0, JSON.stringify(evidence.paint));
  assert.equal(evidence.paint!.largestContentfulMs, undefined, JSON.stringify(evidence.paint));
  assert.deepEqual(paintProblems(evidence as Evidence, undefined, {}), []);
});

test("on a page of images with spaces between them, the largest paint is not earlier than the first paint", async () => {
  // The coloured background is painted before any image.
  const images = [1, 2, 3, 4].map((n) => `<img src=${n}.jpg width=150 height=100>`).join("\n");
  const { paint } = await loadOf(`${head}<body style="background: #eef">${images}`);
  assert.ok(paint!.byProtocol!.largestMs! > 0);
  assert.ok(paint!.largestContentfulMs! >= paint!.firstContentfulMs, JSON.stringify(paint));
});

test("an image without a size shifts the text below it, and the page cannot hide this layout shift", async () => {
  const shifting = `<script src=wait.js></script><h1>Hello</h1><img src=a.jpg><p style="height: 300px; background: #eef">text`;
  const { cumulativeLayoutShift: score } = await loadOf(`${head}${shifting}`);
  assert.ok(score! > 0.05, `${score}`);
  const lie = `Object.defineProperty(LayoutShift.prototype, "value", { get: () => 0 }); window.PerformanceObserver = null;`;
  const { cumulativeLayoutShift: forged } = await loadOf(`${head}<script>${lie}</script>${shifting}`);
  assert.equal(forged, score);
  assert.equal((await loadOf(`${head}${body}`)).cumulativeLayoutShift, 0);
});

test("a page's errors are recorded, but not failed requests or other messages", async () => {
  const script = (text: string) => `<script>${text}</script>`;
  const { consoleErrors } = await loadOf(
    [
      ...[head, script(`console.error("a", 1, new Error("inner")); console.warn("w"); console.error()`)],
      ...[script(`throw new TypeError("boom")`), script(`throw "text"`), script(`throw "text"`)],
      ...[script(`Promise.reject(new Error("rejected"))`), "<script type=module src=text.html></script>"],
      script(`console.error("x".repeat(1e6))`),
    ].join(""),
  );
  const [module] = consoleErrors!.filter((text) => text.includes("MIME type"));
  assert.deepEqual(
    new Set(consoleErrors),
    new Set(["a 1 Error: inner", "TypeError: boom", "text", "Error: rejected", module!, "x".repeat(200)]),
  );
  const many = await loadOf(`${head}${script("for (let i = 0; i < 1000; i++) console.error(i)")}`);
  assert.equal(many.consoleErrors?.length, mostConsoleErrors);
  assert.equal((await loadOf(`${head}<img src=//gone.example/x.png>`)).consoleErrors, undefined);
});

async function windowOf(html: string): Promise<ShownWindow> {
  let shown: ShownWindow | undefined;
  await loadOf(head + html, (window) => {
    shown = window;
  });
  return shown!;
}
const pictureOf = async (html: string) => (await windowOf(html)).picture;

test("only images that are visible without scrolling are recorded as images in the page's window", async () => {
  const image = (path: string, style: string) =>
    `<img src=${path} style="position: absolute; width: 9px; height: 9px; ${style}">`;
  const all = [
    image("/a.jpg?1", "top: 599px; left: 0"),
    image("/b.jpg?2", "top: 601px; left: 0"),
    image("/c.jpg", "top: 0; left: 801px"),
    image("/d.jpg", "display: none"),
    "<img src=data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7>",
  ];
  assert.deepEqual((await windowOf(all.join(""))).images, ["/a.jpg"]);
});

test("a page's picture stays the same if text moves by a pixel, and differs if a button is missing", async () => {
  const line =
    "<p>The quick brown fox jumps over the lazy dog and runs away from it, again and again, all day long</p>";
  const shop = (style: string, button: string) =>
    pictureOf(`<div style="position: relative; ${style}">${line.repeat(6)}<p>${button}</p></div>`);
  const plain = await shop("", "<button>Buy</button>");
  assert.equal(differentShare(plain, await shop("left: 1px; top: 1px", "<button>Buy</button>")), 0);
  assert.ok(differentShare(plain, await shop("", "")) > 0);
});

test("a page's picture leaves out animations, and scripts of the page cannot change the picture", async () => {
  const square = (style: string) => `<body style="margin: 0"><div style="width: 400px; height: 300px; ${style}">`;
  const plain = await pictureOf(square("background: green"));
  const policy = `<meta http-equiv=Content-Security-Policy content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">`;
  const lie = "<script>window.createImageBitmap = window.OffscreenCanvas = null; atob = btoa = () => '';</script>";
  assert.equal(await pictureOf(policy + lie + square("background: green")), plain);
  const share = differentShare(plain, await pictureOf(square("background: red"))); // the tiles around the square differ, too
  assert.ok(share >= 0.25 && share < 0.29, `${share}`);
  const moving = "<style>@keyframes k { to { background: blue } }</style>";
  const animated = await pictureOf(moving + square("background: red; animation: k 0.7s infinite alternate"));
  assert.equal(differentShare(plain, animated), 0);
});
