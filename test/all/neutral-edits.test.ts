/** Edits that make no page slower leave a gate green: 20 edits of three sites, over links without loss, with 1% loss and with varying rates. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { gate } from "../gate-sites.ts";
import { type Site, sites } from "../sites.ts";

type Edit = readonly [site: string, what: string, edit: (site: Site) => Site];

/** Replaces the first occurrence of `from` in a file; fails if there is none. */
const replaced = (path: string, from: string, to: string) => (site: Site) => {
  const text = String(site[path]);
  assert.ok(text.includes(from), `${path} has no ${from}`);
  return { ...site, [path]: text.replace(from, to) };
};
/** Renames the file and its first reference. */
const renamed = (path: string, to: string, namedIn: string, from: string, now: string) => (site: Site) => {
  const { [path]: content, ...others } = replaced(namedIn, from, now)(site);
  return { ...others, [to]: content! };
};

const edits: readonly Edit[] = [
  ["article", "a comment at the end", replaced("index.html", "</html>", "</html>\n<!-- built on Monday -->")],
  ["article", "a comment in the head", replaced("index.html", "<title>", "<!-- the title -->\n<title>")],
  ["article", "a comment in the style sheet", replaced("css/style.css", "body {", "/* text */\nbody {")],
  ["article", "a picture renamed", renamed("img/0.jpg", "img/first.jpg", "index.html", "img/0.jpg", "img/first.jpg")],
  [
    "article",
    "a style sheet renamed",
    renamed("css/style.css", "css/main.css", "index.html", "css/style.css", "css/main.css"),
  ],
  [
    "article",
    "attributes reordered",
    replaced("index.html", `rel="preload" href="text.ttf" as="font"`, `as="font" href="text.ttf" rel="preload"`),
  ],
  [
    "article",
    "a meta description",
    replaced("index.html", "<title>", `<meta name="description" content="An article">\n<title>`),
  ],
  ["app", "a comment in the markup", replaced("index.html", "<main", "<!-- the application -->\n<main")],
  ["app", "a comment in a script", replaced("app.js", "fetch(", "// the data\nfetch(")],
  ["app", "a script renamed", renamed("app.js", "main.js", "index.html", "app.js", "main.js")],
  ["app", "a module renamed", renamed("show.js", "view.js", "app.js", "./show.js", "./view.js")],
  ["app", "attributes reordered", replaced("index.html", `src="jquery.js" defer`, `defer src="jquery.js"`)],
  ["app", "a class attribute", replaced("index.html", `id="app"`, `id="app" class="wide"`)],
  ["app", "data in another order", replaced("data.json", `"name 0","name 1"`, `"name 1","name 0"`)],
  [
    "shop",
    "a comment between pictures",
    replaced("index.html", `<img src="img/6.jpg"`, `<!-- second half -->\n<img src="img/6.jpg"`),
  ],
  ["shop", "a comment in an imported style sheet", replaced("grid.css", ".rule-3 ", "/* the third */\n.rule-3 ")],
  ["shop", "a picture renamed", renamed("img/3.jpg", "img/three.jpg", "index.html", "img/3.jpg", "img/three.jpg")],
  [
    "shop",
    "an imported style sheet renamed",
    renamed("grid.css", "columns.css", "main.css", "grid.css", "columns.css"),
  ],
  [
    "shop",
    "attributes reordered",
    replaced("index.html", `alt="product" width="200" height="150"`, `height="150" width="200" alt="product"`),
  ],
  ["shop", "an indented line", replaced("index.html", "<body>\n", "<body>\n    ")],
];

const links = ["Cable", "10x1-100ms-1%", "LTE-evening"];

for (const [name, what, edit] of edits)
  test(`a gate passes after a neutral edit: ${name}, ${what}`, async () => {
    const site = sites[name]!;
    const { code, stdout, stderr } = await gate(`${name} ${what}`, { before: site, after: edit(site) }, links.join());
    assert.equal(code, ExitCode.done, stdout + stderr);
    for (const link of links)
      assert.match(stdout, new RegExp(`^\\| index\\.html \\| ${link} +\\| page load +\\|.*passed`, "m"), stdout);
  });
