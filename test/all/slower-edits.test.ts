/** Edits that make a page slower turn a gate red, and the gate names the file. Files become larger, or need one more round trip. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../schema/errors.ts";
import { compressibleFiller } from "../../sites/filler.ts";
import { makeImage } from "../../sites/image.ts";
import { gate } from "../gate-sites.ts";
import { type Site, sites } from "../sites.ts";

/** Makes text that adds this many bytes on the wire. The text itself is longer, because gzip saves a quarter of it. */
const more = (bytes: number) => compressibleFiller(Math.round(bytes / 0.76), 1);
const longer = (path: string, text: string) => (site: Site) => ({
  ...site,
  [path]: Buffer.concat([Buffer.from(site[path]!), Buffer.from(text)]),
});

interface Edit {
  site: string;
  what: string;
  edit(site: Site): Site;
  /** What a red gate must print. */
  says: RegExp;
  /** Links to use instead of the usual ones. Page load or first paint must be red over each of these links. */
  links?: string;
}
const edits: readonly Edit[] = [
  {
    ...{ site: "article", what: "an image 150 kB larger", says: /^- size changed: .*img\/0\.jpg \(\+/m },
    edit: (site) => ({ ...site, "img/0.jpg": makeImage("jpeg", 210_000, 0).file }),
  },
  {
    ...{ site: "article", what: "a font 125 kB larger", says: /^- size changed: .*text\.ttf \(\+/m },
    edit: longer("text.ttf", more(125_000)),
  },
  {
    ...{ site: "app", what: "a script 150 kB larger", says: /^- size changed: .*jquery\.js \(\+/m },
    edit: longer("jquery.js", `\n/* ${more(150_000)} */`),
  },
  {
    ...{ site: "app", what: "a style sheet that imports another: a round trip", says: /^- requested now: more\.css/m },
    links: "Cable,4G,10x1-100ms-1%",
    edit: (site) => ({
      ...site,
      "style.css": `@import url("more.css");\n${site["style.css"]}`,
      "more.css": "p { margin: 1px; }",
    }),
  },
  {
    ...{ site: "article", what: "an image 30 kB larger", says: /^- size changed: .*img\/0\.jpg \(\+/m },
    edit: (site) => ({ ...site, "img/0.jpg": makeImage("jpeg", 90_000, 0).file }),
  },
];

for (const { site: name, what, edit, says, links } of edits)
  test(`a gate is red and names the changed file: ${name}, ${what}`, async (context) => {
    const site = sites[name]!;
    const { code, stdout, stderr } = await gate(`${name} ${what}`, { before: site, after: edit(site) }, links);
    assert.equal(code, ExitCode.failed, stdout + stderr);
    assert.match(stdout, says);
    for (const link of links?.split(",") ?? [])
      assert.match(
        stdout,
        new RegExp(`^\\| index\\.html \\| ${link} +\\| (page load|first contentful paint) .*failed`, "m"),
      );
    for (const row of stdout.split("\n").filter((line) => /^\| index.*(failed|passed)/.test(line)))
      context.diagnostic(row);
  });
