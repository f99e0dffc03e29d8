import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../schema/evidence.ts";
import { notFoundIn } from "./learn.ts";

test("a 404 of a file that the page has is told from one of a file that it lacks", () => {
  const files = new Set(["about/index.html", "a b.js"]);
  const answers: [path: string, status: number][] = [
    ["/about", 404],
    ["/about/", 200],
    ["/a%20b.js", 404],
    ["/imported/mine/2-h2/a%20b.js", 404],
    ["/gone.js", 404],
  ];
  const connections = [{ requests: answers.map(([path, status]) => ({ path, status })) }];
  assert.deepEqual(
    notFoundIn({ connections } as unknown as Evidence, (file) => files.has(file)),
    [
      { path: "/about", file: "about/index.html" },
      { path: "/a%20b.js", file: "a b.js" },
      { path: "/imported/mine/2-h2/a%20b.js", file: "a b.js" },
    ],
  );
});
