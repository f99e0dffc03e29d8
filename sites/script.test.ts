import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { makeScript } from "./script.ts";

const from = "jquery/dist/jquery.min.js";

test("a padded script library has the requested size and still runs", () => {
  const script = makeScript(from, 94_500, "page: scripts.0");
  assert.equal(script.length, 94_500);
  const module: { exports: unknown } = { exports: {} };
  runInNewContext(script.toString(), { module });
  assert.equal(typeof module.exports, "function");
});

test("makeScript refuses a script that is larger than the requested size or not installed", () => {
  assert.throws(
    () => makeScript(from, 1000, "page: scripts.0"),
    /page: scripts\.0\.size: .* 87534 B or more is allowed/,
  );
  assert.throws(
    () => makeScript("no-such-package/a.js", 1000, "page: scripts.0"),
    /page: scripts\.0\.from: no installed package/,
  );
});
