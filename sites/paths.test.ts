import assert from "node:assert/strict";
import { test } from "node:test";
import { formerPath, importedFile, importedPath } from "./paths.ts";

test("an imported page is at the root of its host, and importedFile finds its files by current and former paths", () => {
  const paths = {
    "index.html": "/",
    "about/index.html": "/about/",
    "ü/é 1.png": "/%C3%BC/%C3%A9%201.png",
    "a/b": "/a/b",
  };
  for (const [file, path] of Object.entries(paths)) {
    assert.equal(importedPath(file), path);
    assert.equal(importedFile(path), file);
    assert.equal(importedFile(formerPath("mine", 2, "h2", file)), file);
  }
  assert.equal(importedFile("/index.html"), "index.html");
  assert.equal(importedFile("/imported/a.js"), "imported/a.js");
});
