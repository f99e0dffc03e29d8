import assert from "node:assert/strict";
import { test } from "node:test";
import { BestMatch } from "./best-match.ts";

test("find returns the recorded request with the best matching query; of equally good matches, the one with an equal body, else the last recorded one", () => {
  const asked = (path: string, sent?: string, method = "GET") => ({ method, path, sent });
  const all = [
    asked("//a/list?page=1&t=5"),
    asked("//a/list?page=2&t=6"),
    asked("//a/order", "one", "POST"),
    asked("//a/order", "two", "POST"),
    { ...asked("//a/"), status: 302 },
    { ...asked("//a/"), status: 200 },
  ];
  const match = new BestMatch(all);
  assert.equal(match.find(asked("//a/list?page=2&t=99")), all[1]);
  assert.equal(match.find(asked("//a/list?t=5&page=1")), all[0]);
  assert.equal(match.find(asked("//a/order", "one", "POST")), all[2]);
  assert.equal(match.find(asked("//a/order", "three", "POST")), all[3]);
  assert.equal(match.find(asked("//a/")), all[5], "the last, so that a redirect to itself ends");
  assert.equal(match.find(asked("//b/list?page=1")), undefined);
  assert.equal(match.find(asked("//a/list", undefined, "POST")), undefined);
});
