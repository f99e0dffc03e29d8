/** The kinds of resources of pages/priorities, each with its file and with its path on the page of 2023 (http3-prioritization/prioritization-experiments). */
interface Kind {
  title: string;
  /** Below pages/priorities; "" for the document. */
  file: string;
  /** Below /test/ on the page of 2023. */
  path: string;
}

const all: readonly [title: string, file: string, path: string][] = [
  ["HTML", "", "test_all.html"],
  ["style sheet in the head", "style-head.css", "assets/style.css?head"],
  ["style sheet that another imports", "style-imported.css", "assets/style.css?head-import"],
  ["style sheet for print", "style-print.css", "assets/style.css?head-print"],
  ["style sheet at the bottom", "style-bottom.css", "assets/style.css?bottom"],
  ["style sheet, preloaded", "style-preload.css", "assets/style.css?preload"],
  ["style sheet with fonts", "style-fonts.css", "assets/fonts.css?head"],
  ["font from a style sheet", "font-css-1.ttf", "assets/font1.woff2?from-css"],
  ["another font from it", "font-css-2.ttf", "assets/font2.woff2?from-css"],
  ["font, preloaded", "font-preload-1.ttf", "assets/font1.woff2?preload"],
  ["another font, preloaded", "font-preload-2.ttf", "assets/font2.woff2?preload"],
  ["script in the head", "script-head.js", "assets/script.js?head"],
  ["script, async", "script-async.js", "assets/script.js?head-async"],
  ["script, defer", "script-defer.js", "assets/script.js?head-defer"],
  ["script, async, blocking=render", "script-async-blocking.js", "assets/script.js?head-async-blocking"],
  ["script, defer, blocking=render", "script-defer-blocking.js", "assets/script.js?head-defer-blocking"],
  ["script, defer, which fetches", "script-fetches.js", "assets/script-fetch.js?head-defer"],
  ["script that a script inserts in the head", "script-inserted.js", "assets/script.js?head-inserted"],
  ["script after an image", "script-after-image.js", "assets/script.js?body-afterimage"],
  ["script at the bottom", "script-bottom.js", "assets/script.js?bottom"],
  ["script that a script inserts at the bottom", "script-bottom-inserted.js", "assets/script.js?bottom-inserted"],
  ["script, preloaded", "script-preload.js", "assets/script.js?preload"],
  ["script, prefetched", "script-prefetch.js", "assets/script.js?prefetch"],
  ["module", "module.js", "assets/module.js?head-module"],
  ["module, async", "module-async.js", "assets/module.js?head-module-async"],
  ["module that a module imports", "module-imported.js", "assets/module.js?head-module-import"],
  ["image in the window", "image-visible.png", "assets/img1.png?visible-eager"],
  ["image in the window, fetchpriority=high", "image-visible-high.png", "assets/img1.png?visible-fetchpriority"],
  ["image in the window, lazy", "image-visible-lazy.png", "assets/img1.png?visible-lazy"],
  ["image in what is not displayed", "image-hidden.png", "assets/img1.png?hidden-eager"],
  ["image, preloaded", "image-preload.png", "assets/img1.png?preload"],
  ["image, preloaded, fetchpriority=high", "image-preload-high.png", "assets/img1.png?preload-fetchpriority"],
  ["background image", "image-background.png", "assets/img1.png?css-background"],
  ["video's poster", "image-poster.png", "assets/img1.png?videoposter"],
  ["video", "movie.mp4", "assets/movie.mp4"],
  ["SVG as an image", "svg-img.svg", "assets/img2.svg?image"],
  ["SVG in an iframe", "svg-iframe.svg", "assets/img2.svg?iframe"],
  ["SVG as an object", "svg-object.svg", "assets/img2.svg?object"],
  ["SVG, embedded", "svg-embed.svg", "assets/img2.svg?embed"],
  ["fetch in the head", "data-head.json", "assets/data.json?head"],
  ["fetch by a deferred script", "data-by-script.json", "assets/data.json?script-defer"],
  ["fetch with priority: low", "data-bottom-low.json", "assets/data.json?bottom-fetchpriority"],
  [
    "fetch with the header u=0, i",
    "data-bottom-header-incremental.json",
    "assets/data.json?bottom-priority-incremental",
  ],
  ["fetch with the header u=0", "data-bottom-header.json", "assets/data.json?bottom-priority-sequential"],
  ["fetch with the header u=666, r", "data-bottom-header-invalid.json", "assets/data.json?bottom-priority-invalid"],
];

export const kinds: readonly Kind[] = all.map(([title, file, path]) => ({ title, file, path }));
