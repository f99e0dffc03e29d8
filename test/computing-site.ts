/** Pages that compute before their load event, each in another way, and a page that does not compute (index.html). */
import { PNG } from "pngjs";
import type { Site } from "./sites.ts";

/** How long `waits.html` polls the clock. */
export const waitMs = 40;

/** `roots(n)`: sums n square roots in a loop, which produces garbage until V8 compiles it. */
const roots = "function roots(n) { let x = 0; for (let i = 0; i < n; i++) x += Math.sqrt(i); return x; }";

/** WebAssembly: `f(n)` counts down from n. */
const counting = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 5, 1, 1, 0x66, 0, 0],
  ...[10, 30, 1, 28, 1, 1, 0x7f, 3, 0x40, 0x20, 1, 0x41, 3, 0x6c, 0x20, 0, 0x6a, 0x21, 1, 0x20, 0, 0x41, 1, 0x6b],
  ...[0x22, 0, 13, 0, 11, 0x20, 1, 11],
];

/** The number of functions in `parses.html`. */
export const functionsOf = (million: number) => million * 100;

/** The script of each page, by the page's name. Scripts that count steps make `million` million steps. */
const scripts = (million: number): Record<string, string> => ({
  index: "",
  loops: `${roots} roots(${million}e6);`,
  // When the last worker ends, the page requests another image while the first image still arrives.
  workers: `${roots}
    const code = URL.createObjectURL(new Blob([roots + "; postMessage(roots(${million}e6))"]));
    let left = 3;
    for (let i = 0; i < left; i++) new Worker(code).onmessage = () => --left || (document.body.append(Object.assign(new Image(), { src: "large.png" })));
    roots(${million}e6);`,
  wasm: `const code = new Uint8Array([${counting}]);
    new WebAssembly.Instance(new WebAssembly.Module(code)).exports.f(${million}e6);`,
  waits: `for (const start = performance.now(); performance.now() - start < ${waitMs}; );`,
  parses: `const text = Array.from({ length: ${functionsOf(million)} }, (_, i) => "function f" + i + "(a) { return a * " + i + " }; f" + i + "(1);");
    (0, eval)(text.join("\\n"));`,
  sorts: `const numbers = Array.from({ length: ${million}e3 }, (_, i) => (i * 7919) % 104729 + "");
    for (let i = 0; i < 3; i++) JSON.parse(JSON.stringify(numbers)).sort();`,
  lays: `for (let i = 0; i < ${million * 10}; i++) document.body.append(Object.assign(document.createElement("div"), {
      style: "float: left; padding: 1px", textContent: "text ".repeat(i % 9) }));
    for (let i = 0; i < 20; i++) { document.body.style.width = 300 + i + "px"; document.body.offsetHeight; }`,
});

/** @param million the steps of computing, in millions; a hundred million steps take a second without V8's optimizing compilers */
export function computingSite(million: number): Site {
  const page = (body: string) => `<!doctype html><meta charset=utf-8><title>x</title><body><h1>Shop</h1>${body}`;
  const pages = Object.entries(scripts(million)).map(([name, script]) => [
    `${name}.html`,
    page(`${name === "workers" ? "<img src=late.svg>" : ""}<script>${script}</script>`),
  ]);
  return {
    ...Object.fromEntries(pages),
    "decodes.html": page("<img src=large.png>"),
    "large.png": PNG.sync.write(new PNG({ width: million * 10, height: million * 10 })), // few bytes, many pixels
    "late.svg": `<svg xmlns="http://www.w3.org/2000/svg"><!--${"x".repeat(20_000)}--></svg>`,
  };
}

/** The names of the site's pages. The page that does not compute is first. */
export const computingPages = [...Object.keys(scripts(0)), "decodes"].map((name) => `${name}.html`);
