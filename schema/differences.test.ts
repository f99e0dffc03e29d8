import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "./differences.ts";

test("only what differs is named, by its whole path; equal arrays do not differ", () => {
  const before = {
    lists: { same: ["a", "b"], other: ["a"] },
    machine: { kernel: "6.1", cores: 4 },
    shaper: { kernel: "6.1" },
  };
  const after = { lists: { same: ["a", "b"], other: ["a", "b"] }, machine: { kernel: "6.2", cores: 4 }, shaper: {} };
  assert.deepEqual(differences(before, after), [
    'lists.other was ["a"] and is ["a","b"]',
    'machine.kernel was "6.1" and is "6.2"',
    'shaper.kernel was "6.1" and is absent',
  ]);
  assert.deepEqual(differences(before, structuredClone(before)), []);
});

test("values of other types can be distinguished", () =>
  assert.deepEqual(differences({ port: "80", list: "1,2" }, { port: 80, list: [1, 2] }), [
    'port was "80" and is 80',
    'list was "1,2" and is [1,2]',
  ]));
