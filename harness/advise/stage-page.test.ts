/** The page of a run has all edited documents in one folder. So the run calibrates each link only once, instead of once for each document. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { editableFolder } from "../../sites/edits/editable-page.ts";
import { asItIs, documentOf } from "../../sites/edits/edited-page.ts";
import { halved } from "../../sites/edits/halved.ts";
import { inlined } from "../../sites/edits/inlined.ts";
import { givenPages } from "../../sites/given-page.ts";
import { readImportedPage } from "../../sites/imported/imported-page.ts";
import { stagePage } from "./stage-page.ts";

const shop = readImportedPage("shop", "pages/shop");
const before = asItIs(editableFolder(shop), "index.html");

test("each edit of a page gets its own HTML file, next to the page's HTML file", () => {
  const edits = [halved(["img/0.jpg"])(before), inlined("main.css")(before)].flatMap((one) => one ?? []);
  assert.ok(edits.length > 0);
  const { name, hosts } = stagePage(shop, edits, 4);
  const folder = `${givenPages}/${name}`;
  try {
    assert.deepEqual(readFileSync(`${folder}/index.html`), before.html);
    for (const one of edits) assert.deepEqual(readFileSync(`${folder}/${documentOf(one)}`), one.html);
    for (const path of edits.flatMap(({ added }) => [...added.keys()]))
      assert.ok(existsSync(`${folder}/${path}`), path);
    assert.equal(hosts, 2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an edited copy of a file is on the same host as the file", () => {
  const [edited] = [halved(["img/0.jpg"])(before)].flatMap((one) => one ?? []);
  assert.ok(edited);
  const { name } = stagePage(shop, [edited], 4);
  const made = readImportedPage(name, `${givenPages}/${name}`);
  rmSync(`${givenPages}/${name}`, { recursive: true });
  const [copy = ""] = edited.added.keys();
  assert.equal(made.hosts[copy], shop.hosts["img/"]);
});
