import assert from "node:assert/strict";
import { test } from "node:test";
import { parsedUrl } from "./parsed-url.ts";

test("a URL with Latin-1 letters is parsed even after 200,000 other URLs", () => {
  for (let i = 0; i < 200_000; i++) parsedUrl(`https://h${i}.test/`);
  assert.equal(parsedUrl("https://b\u00fccher.example/q.css")?.href, "https://xn--bcher-kva.example/q.css");
  assert.equal(parsedUrl("b.css", "https://a.test/")?.href, "https://a.test/b.css");
  assert.equal(parsedUrl("http://"), null);
});
