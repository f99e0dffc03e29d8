import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOfPage } from "./user-path.ts";

test("a page argument is a path if it is written as a path, or if a folder, but no page of the lab, has this name", () => {
  const pages = { docs: {}, shop: {} };
  assert.equal(pathOfPage("docs", pages), null, "docs is a page of the lab, although a folder has this name, too");
  assert.match(pathOfPage("docs", {})!, /docs$/);
  assert.match(pathOfPage("./docs", pages)!, /docs$/);
  assert.match(pathOfPage("site.har.gz", pages)!, /site\.har\.gz$/);
  assert.equal(pathOfPage("nowhere", pages), null);
});
