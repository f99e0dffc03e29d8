/** Three small sites as people build them, with what makes real pages load differently from a list of files. */
import { readFileSync } from "node:fs";
import { filler } from "../pages/filler.ts";
import { makeImage } from "../pages/image.ts";

/** Its files by path. */
export type Site = Readonly<Record<string, string | Buffer>>;

const jpeg = (bytes: number, seed: number) => makeImage("jpeg", bytes, seed).file;
const html = (head: string, body: string) =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>A site</title>\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
const paragraphs = (count: number) => `<p>${filler(400)}</p>\n`.repeat(count);
const rules = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `.rule-${i} { margin: ${i}px; color: #${(i * 4096).toString(16).padStart(6, "0")}; }`,
  ).join("\n");
/** A font that Debian's Chromium needs anyway. */
const font = readFileSync("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf");

/** Text with a preloaded font, and pictures of which two are lazy. */
const article: Site = {
  "index.html": html(
    `<link rel="preload" href="text.ttf" as="font" type="font/ttf" crossorigin>\n<link rel="stylesheet" href="css/style.css">`,
    [
      `<img src="img/0.jpg" alt="first" width="400" height="300">`,
      paragraphs(60),
      ...[1, 2].map((i) => `<img src="img/${i}.jpg" alt="lazy" loading="lazy" width="400" height="300">`),
    ].join("\n"),
  ),
  "css/style.css": `@font-face { font-family: Text; src: url(../text.ttf); }\nbody { font-family: Text, sans-serif; }\n${rules(300)}`,
  "text.ttf": font,
  ...Object.fromEntries([0, 1, 2].map((i) => [`img/${i}.jpg`, jpeg(60_000 + i * 7000, i)])),
};

/** Deferred scripts, a module, data that a script fetches, and a service worker after the load event. */
const app: Site = {
  "index.html": html(
    `<link rel="stylesheet" href="style.css">\n<script src="jquery.js" defer></script>\n<script src="app.js" type="module"></script>`,
    `<main id="app">Loading</main>\n${paragraphs(4)}`,
  ),
  "style.css": rules(150),
  "jquery.js": readFileSync("node_modules/jquery/dist/jquery.min.js"),
  "app.js": `import { show } from "./show.js";
fetch("data.json").then((response) => response.json()).then(show);
addEventListener("load", () => navigator.serviceWorker.register("worker.js"));
`,
  "show.js": `export const show = ({ names }) => { document.querySelector("#app").textContent = names.join(", "); };\n`,
  "data.json": JSON.stringify({ names: Array.from({ length: 200 }, (_, i) => `name ${i}`) }),
  "worker.js": `addEventListener("fetch", () => {});\n`,
};

/** Two hosts, style sheets that import one another, asynchronous scripts, many pictures. */
const shop: Site = {
  "page.yml": "hosts: {/: 1, img/: 2}\n",
  "index.html": html(
    `<link rel="stylesheet" href="main.css">\n<script src="track.js" async></script>`,
    Array.from({ length: 12 }, (_, i) => `<img src="img/${i}.jpg" alt="product" width="200" height="150">`).join("\n"),
  ),
  "main.css": `@import url("grid.css");\n${rules(100)}`,
  "grid.css": rules(120),
  "track.js": `/* ${filler(20_000)} */\n`,
  ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`img/${i}.jpg`, jpeg(12_000 + i * 1500, i)])),
};

export const sites: Readonly<Record<string, Site>> = { article, app, shop };
