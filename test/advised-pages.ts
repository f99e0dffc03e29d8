/** Pages whose best change is known, because one thing takes most of their load time. */
import { PNG } from "pngjs";

const head = (more = "") => `<!doctype html><meta charset=utf-8><title>made</title><link rel=icon href=data:,>${more}`;

/** Makes an image that cannot be compressed further. @param side the length of a side in pixels, of 3 bytes each */
export function noisyPng(side: number, seed = 1): Buffer {
  const image = new PNG({ width: side, height: side, colorType: 2 });
  let state = seed;
  for (let i = 0; i < image.data.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    image.data[i] = i % 4 === 3 ? 255 : state >>> 24;
  }
  return PNG.sync.write(image, { colorType: 2 });
}

/** Makes a script with random content, which compresses little. The script requests the next script, if any. */
const scriptThatLoads = (next: string | null, seed: number) =>
  [
    `// ${noisyPng(40, seed).toString("base64")}`,
    ...(next ? [`const s = document.createElement("script"); s.src = "${next}"; document.head.append(s);`] : []),
  ].join("\n");

export interface AdvisedPage {
  what: string;
  files: Readonly<Record<string, Buffer | string>>;
  options: readonly string[];
  /** Names of changes. One of them must be the best change, or tied with the best. Empty if no change may help. */
  best: readonly string[];
}

export const advisedPages: readonly AdvisedPage[] = [
  {
    what: "a chain of four scripts",
    files: {
      "index.html": `${head("<script src=a.js></script>")}text`,
      ...{ "a.js": scriptThatLoads("b.js", 1), "b.js": `{${scriptThatLoads("c.js", 2)}}` },
      ...{ "c.js": `{${scriptThatLoads("d.js", 3)}}`, "d.js": scriptThatLoads(null, 4) },
    },
    options: [],
    best: ["preload-late"],
  },
  {
    what: "one huge image",
    files: { "index.html": `${head()}<img src=huge.png>`, "huge.png": noisyPng(400) },
    options: [],
    best: ["half:huge.png"],
  },
  {
    what: "a hundred small images over HTTP/1.1",
    files: {
      "index.html":
        head() + Array.from({ length: 100 }, (_, i) => `<p style="background:url(${i}.png)">${i}`).join("\n"),
      ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}.png`, noisyPng(9, i + 1)])),
    },
    options: ["--protocol", "h1"],
    best: ["protocol-h2", "protocol-h3"],
  },
  {
    what: "a script of a slow host that blocks the first paint",
    files: {
      "index.html": `${head("<script src=third/party.js></script>")}text`,
      "third/party.js": "document.title = 'third';",
      "page.yml": "hosts: {/: 1, third/: 2}\nserverTimes: {third/party.js: 1500}\n",
    },
    options: ["--server", "node", "--serverTimes", "recorded", "--metric", "firstContentfulPaint"],
    best: ["defer:third/party.js", "async:third/party.js"],
  },
  {
    what: "a style sheet that blocks the first paint",
    files: {
      "index.html": `${head("<link rel=stylesheet href=style.css>")}text`,
      "style.css": Array.from({ length: 40 }, (_, i) => `.c${i} { width: ${i}px }`).join("\n"),
    },
    options: ["--protocol", "h3", "--metric", "firstContentfulPaint"],
    best: ["inline:style.css"],
  },
  {
    what: "a page that is one file",
    files: { "index.html": `${head()}text` },
    options: ["--protocol", "h3"],
    best: [],
  },
];
