import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { withGateFile } from "./gate-file.ts";

const folder = mkdtempSync(`${tmpdir()}/lab-gate-file-`);
after(() => rmSync(folder, { recursive: true }));
const typed = {
  pages: "index.html",
  links: "Cable",
  protocol: "h2",
  loads: 10,
  threshold: "2%",
  budget: ["requests=80"],
};

function given(text: string, page?: string, names: string[] = []) {
  writeFileSync(`${folder}/pageload.yml`, text);
  return withGateFile(page, { ...typed, config: `${folder}/pageload.yml` }, (name) => names.includes(name));
}

const whole = `
page: dist
against: ../main
pages: [index.html, about/]
links: [4G, Cable]
loads: 20
budgets:
  all: {pageLoad: 3s, requests: 90}
  4G: {bytes: 1MB}
`;

test("a gate's file gives the page and options, with paths relative to the file's folder; budgets are returned separately", () =>
  assert.deepEqual(given(whole), {
    page: `${folder}/dist`,
    options: {
      ...typed,
      against: folder.replace(/[^/]+$/, "main"),
      pages: "index.html,about/",
      links: "4G,Cable",
      loads: 20,
    },
    budgets: { all: { pageLoad: "3s", requests: 90 }, "4G": { bytes: "1MB" } },
  }));

test("command-line options override the file", () => {
  const { page, options } = given(whole, "elsewhere", ["loads", "links"]);
  assert.deepEqual([page, options.loads, options.links], ["elsewhere", 10, "Cable"]);
});

test("without --config, page and options come from the command line alone", () =>
  assert.deepEqual(
    withGateFile("dist", typed, () => true),
    { page: "dist", options: typed, budgets: {} },
  ));

const refused: [text: string, message: RegExp][] = [
  ["pagez: dist", /pageload\.yml: Unrecognized key: "pagez"/],
  ["page: dist\nloads: 0", /pageload\.yml: loads: /],
  ["page: dist\nlinks: 4G", /pageload\.yml: links: /],
  ["loads: 10", /no page is given/],
];
for (const [text, message] of refused)
  test(`a file with ${JSON.stringify(text)} is refused`, () => assert.throws(() => given(text), { message }));
