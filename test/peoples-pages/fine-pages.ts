/** Small pages, each of a kind that people write. Most request files in other ways than by an element's `src`. */
import { readFileSync } from "node:fs";
import type { Site } from "../sites.ts";
import { avif, common, font, html, next, noise, picture, rules, script, sound, webp } from "./parts.ts";

/** Pages whose loads must be valid. */
export const finePages: Readonly<Record<string, Site>> = {
  "speculation-prefetch": { ...common, ...next, "index.html": html(picture, rules("prefetch")) },
  "speculation-prerender": { ...common, ...next, "index.html": html(picture, rules("prerender")) },
  "preload-unused": {
    ...common,
    ...{ "unused.png": noise(150), "data.json": JSON.stringify({ of: "x".repeat(40_000) }), "f.ttf": font },
    "index.html": html(
      picture,
      '<link rel="preload" as="font" type="font/ttf" href="f.ttf" crossorigin><link rel="preload" as="image" href="unused.png"><link rel="preload" as="fetch" href="data.json">',
    ),
  },
  "prefetch-link": {
    ...common,
    ...next,
    "index.html": html(picture, '<link rel="prefetch" href="next.html"><link rel="prefetch" href="b.png">'),
  },
  "motion-photo": {
    "a.png": Buffer.concat([noise(60), Buffer.alloc(120_000, "after the image's end ")]),
    "b.jpg": Buffer.concat([readFileSync("pages/article/img/0.jpg"), Buffer.alloc(120_000, "a film ")]),
    "index.html": html('<img src="a.png"><img src="b.jpg">'),
  },
  "image-truncated": {
    "a.png": noise(120).subarray(0, 20_000),
    "b.jpg": readFileSync("pages/article/img/0.jpg").subarray(0, 9_000),
    "index.html": html('<img src="a.png"><img src="b.jpg">'),
  },
  "image-damaged": {
    "a.png": noise(300).fill(0, 40_000, 60_000),
    "index.html": html('<img src="a.png">'),
  },
  "image-changed": {
    ...common,
    ...{ "large.png": noise(500), "b.png": noise(61) },
    "index.html": html(
      `${picture}<img id="i" src="large.png">${script('setTimeout(() => { i.src = "b.png"; }, 300)')}`,
    ),
  },
  base: {
    "site/a.png": noise(60),
    "site/style.css": "p { color: #123; background: url(b.png) }",
    "site/b.png": noise(61),
    "index.html": html(
      `${picture}${script('fetch("d.json").then((r) => r.json())')}`,
      '<base href="site/"><link rel="stylesheet" href="style.css">',
    ),
    "site/d.json": "{}",
  },
  "document-write": {
    ...common,
    "b.png": noise(61),
    "late.js": 'document.body.append("late")',
    "index.html": html(script('document.write(\'<img src="b.png"><script src="late.js"><\\/script>\')') + picture),
  },
  lazy: {
    ...common,
    ...{ "frame.html": html('<img src="b.png">'), "b.png": noise(61), "far.png": noise(62), "far.html": html("far") },
    "index.html": html(
      `${picture}<iframe loading="lazy" src="frame.html"></iframe><div style="height: 30000px"></div><iframe loading="lazy" src="far.html"></iframe><img loading="lazy" src="far.png">`,
    ),
  },
  "import-map": {
    ...common,
    ...{
      "lib/first.js": 'import second from "second"; export default second + 1;',
      "lib/second.js": "export default 1;",
    },
    "index.html": html(
      `${picture}<script type="module">import first from "first"; document.body.append(first); import("later").then((m) => document.body.append(m.default));</script>`,
      '<script type="importmap">{"imports": {"first": "./lib/first.js", "second": "./lib/second.js", "later": "./lib/later.js"}}</script>',
    ),
    "lib/later.js": "export default 'later';",
  },
  "web-socket": {
    ...common,
    "index.html": html(
      picture +
        script(
          'const s = new WebSocket(location.origin.replace("http", "ws") + "/socket"); s.onerror = () => document.body.append("no socket");',
        ),
    ),
  },
  "event-source": {
    ...common,
    "events.txt": "data: 1\n\n",
    "index.html": html(picture + script('new EventSource("events.txt"); new EventSource("/events");')),
  },
  beacons: {
    ...common,
    count: "",
    "index.html": html(
      picture +
        script(
          'navigator.sendBeacon("count", "early"); addEventListener("load", () => { navigator.sendBeacon("count", "x".repeat(2000)); fetch("count", { method: "POST", keepalive: true, body: "b" }); }); addEventListener("pagehide", () => navigator.sendBeacon("count", "end"));',
        ),
    ),
  },
  "ping-on-hide": {
    ...common,
    "index.html": html(
      picture +
        script(
          'addEventListener("visibilitychange", () => navigator.sendBeacon("hidden", "1")); addEventListener("beforeunload", (e) => { e.preventDefault(); e.returnValue = "Stay?"; });',
        ),
    ),
  },
  video: {
    ...common,
    "film.wav": sound(40),
    "index.html": html(
      `${picture}<video src="film.wav" autoplay muted loop playsinline width="160" height="120"></video><video src="film.wav" preload="metadata" controls></video><audio src="film.wav" preload="none"></audio>`,
    ),
  },
  formats: {
    ...common,
    "index.html": html(
      `<picture><source type="image/avif" srcset="p.avif"><source type="image/webp" srcset="p.webp"><img src="a.png"></picture><img srcset="a.png 1x, b.png 2x" src="a.png"><picture><source media="(max-width: 10px)" srcset="b.png"><img src="a.png"></picture>`,
    ),
    ...{ "b.png": noise(61), "p.avif": avif, "p.webp": webp },
  },
  "unicode-range": {
    ...common,
    ...{ "latin.ttf": font, "greek.ttf": font, "cyrillic.ttf": font },
    "index.html": html(
      picture,
      `<style>${[
        ["latin", "U+0000-00FF"],
        ["greek", "U+0370-03FF"],
        ["cyrillic", "U+0400-04FF"],
      ]
        .map(([name, range]) => `@font-face { font-family: f; src: url(${name}.ttf); unicode-range: ${range} }`)
        .join(" ")} p { font-family: f }</style>`,
    ),
  },
  "push-state": {
    ...common,
    "b.png": noise(61),
    "index.html": html(
      picture +
        script(
          'history.pushState({}, "", "/shop/item?id=1"); history.replaceState({}, "", "#top"); location.hash = "#other"; document.body.append(Object.assign(new Image(), { src: "/b.png" }));',
        ),
    ),
  },
  "nested-workers": {
    ...common,
    ...{
      "outer.js": 'new Worker("inner.js").onmessage = (e) => postMessage(e.data);',
      "inner.js": 'importScripts("more.js"); fetch("d.json").then((r) => r.json()).then(postMessage);',
      "more.js": "self.more = 1;",
      "d.json": "[1]",
    },
    "index.html": html(
      picture +
        script(
          'new Worker("outer.js").onmessage = (e) => document.body.append(JSON.stringify(e.data)); new SharedWorker("shared.js").port.start();',
        ),
    ),
    "shared.js": 'onconnect = () => fetch("d.json");',
  },
  "clear-site-data": {
    ...common,
    "index.html":
      html(picture, '<meta http-equiv="Clear-Site-Data" content=\'"cache"\'>') +
      script(
        "caches.keys().then((all) => Promise.all(all.map((one) => caches.delete(one)))); localStorage.clear(); navigator.serviceWorker?.getRegistrations().then((all) => all.forEach((one) => one.unregister()));",
      ),
  },
  "many-requests": {
    "t.png": noise(2),
    "index.html": html(Array.from({ length: 3000 }, (_, i) => `<img src="t.png?${i}" width="4" height="4">`).join("")),
  },
  "window-open": { ...common, ...next, "index.html": html(picture + script('window.open("next.html")')) },
  frames: {
    ...common,
    ...next,
    "index.html": html(
      `${picture}<iframe src="next.html"></iframe><iframe srcdoc="&lt;img src=b.png&gt;"></iframe><iframe src="about:blank"></iframe><object data="next.html"></object>`,
    ),
  },
  shadow: {
    ...common,
    "b.png": noise(61),
    "index.html": html(
      `<x-y><template shadowrootmode="open"><img src="b.png"><style>p { background: url(a.png) }</style><p>In</p></template></x-y>`,
    ),
  },
  noscript: {
    ...common,
    "index.html": html(`${picture}<noscript><img src="/none.gif"></noscript><template><img src="none.png"></template>`),
  },
  "adopted-sheet": {
    ...common,
    "s.css": "p { background: url(a.png) } @media print { p { background: url(print.png) } }",
    "p.css": "p { color: red }",
    "index.html": html(
      picture,
      '<link rel="stylesheet" href="s.css" media="print" onload="this.media=\'all\'"><link rel="alternate stylesheet" title="o" href="p.css"><link rel="preload" as="style" href="p.css" onload="this.rel=\'stylesheet\'">',
    ),
    "print.png": noise(20),
  },
  streams: {
    ...common,
    "big.bin": Buffer.alloc(300_000, 7),
    "index.html": html(
      picture +
        script(
          'const c = new AbortController(); fetch("big.bin", { signal: c.signal }).then((r) => r.body.getReader().read()).then(() => c.abort()); fetch("big.bin?2"); const x = new XMLHttpRequest(); x.open("GET", "big.bin?3", false); x.send();',
        ),
    ),
  },
  dialogs: {
    ...common,
    "index.html": html(`${script('alert("hello"); confirm("sure?"); prompt("name?")')}${picture}`),
  },
  quirks: {
    "index.html": "<html><body bgcolor=#eeeeee background=a.png><center><font size=7>Old</font><img src='a.png'>",
    ...common,
  },
};
