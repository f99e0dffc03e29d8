/** Tests which headers a recording keeps. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { keptHeaders, sortHeaders } from "./kept-headers.ts";

test("sortHeaders keeps headers that affect a load, in order, and lists the names of all others except connection headers and Content-Length", () => {
  const { kept, leftOut } = sortHeaders(
    [
      ["Content-Type", "text/css"],
      ["Set-Cookie", "a=1"],
      ["Link", "</a?sid=1>; rel=preload"],
      ["link", "</b>; rel=preload"],
      ["Access-Control-Allow-Origin", "*"],
      ["Access-Control-Expose-Headers", "X-Total, X-Token"],
      ["X-Total", "7"],
      ["X-Token", "7"],
      ["X-Cache", "HIT"],
      ["Content-Length", "7"],
      ["Transfer-Encoding", "chunked"],
      ["Alt-Svc", 'h3=":443"'],
      ["not a token", "1"],
      ["Cross-Origin-Opener-Policy", "same-origin\r\nx: y"],
    ],
    () => {},
  );
  assert.deepEqual(kept, [
    ["content-type", "text/css"],
    ["link", "</a?sid=hash-6b86b273ff>; rel=preload"],
    ["link", "</b>; rel=preload"],
    ["access-control-allow-origin", "*"],
    ["access-control-expose-headers", "X-Total, X-Token"],
    ["x-total", "7"],
    ["cross-origin-opener-policy", "same-origin x: y"],
  ]);
  assert.deepEqual(leftOut, ["set-cookie", "x-token", "x-cache"]);
});

test("if queries are kept, sortHeaders removes only user names and passwords from values", () =>
  assert.deepEqual(sortHeaders([["location", "https://u:p@a.test/?sid=1"]], null).kept, [
    ["location", "https://a.test/?sid=1"],
  ]));

test("docs/pages.md lists all kept headers", () => {
  const text = readFileSync("docs/pages.md", "utf8");
  for (const [what, names] of Object.entries(keptHeaders))
    assert.ok(text.includes(`| ${what} | ${names.map((name) => `\`${name}\``).join(", ")} |`), what);
});
