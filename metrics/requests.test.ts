/** Metrics by file type, such as `scriptRequests`. Budgets can name these metrics. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, RequestEvidence } from "../schema/evidence.ts";
import { metric } from "./requests.metric.ts";

const requested = (...requests: Partial<RequestEvidence>[]) =>
  ({
    connections: [{ requests: requests.map((one) => ({ bytes: 100, status: 200, ...one })) }],
  }) as unknown as Evidence;
const of = (name: string, evidence: Evidence) => metric.find((one) => one.name === name)!.of(evidence);
const types = ["document", "script", "stylesheet", "image", "font"];
const counts = (evidence: Evidence) => types.map((type) => of(`${type}Requests`, evidence));

test("a request is counted by its response's media type, not by its path", () => {
  const paths = ["/", "//shop.example/api?x=1.js", "/a", "/b.bin", "/c"];
  const mediaTypes = ["text/html", "text/javascript", "text/css", "image/webp", "font/woff2"];
  const evidence = requested(...paths.map((path, i) => ({ path, mediaType: mediaTypes[i]! })));
  assert.deepEqual(counts(evidence), [1, 1, 1, 1, 1]);
  assert.equal(of("documentBytes", evidence), 100);
});

test("without a recorded media type the path determines the type: /about/ is a document, and queries are ignored", () => {
  const paths = [
    "/",
    "/about/",
    "//www.example.com/",
    "/logo.png?v=2",
    "/style.css?x=1.js",
    "/imported/dist/1-h2/index.html",
  ];
  assert.deepEqual(counts(requested(...paths.map((path) => ({ path })))), [4, 0, 1, 1, 0]);
});

test("the path determines the type of an error page, of a redirect, and of a response whose type the server does not know", () => {
  const evidence = requested(
    { path: "/", mediaType: "text/html" },
    { path: "/logo.png", mediaType: "text/html", status: 404 },
    { path: "/old.css", mediaType: "text/html", status: 301 },
    { path: "/f.woff2", mediaType: "application/octet-stream" },
    { path: "/m.js", mediaType: "text/plain" },
  );
  assert.deepEqual(counts(evidence), [1, 1, 1, 1, 1]);
});
