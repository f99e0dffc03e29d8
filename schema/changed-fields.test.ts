import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFields } from "./changed-fields.ts";

test("changedFields names only fields that differ, each with its whole path", () => {
  const before = {
    lists: { same: ["a", "b"], other: ["a"] },
    machine: { kernel: "6.1", cores: 4 },
    shaper: { kernel: "6.1" },
  };
  const after = { lists: { same: ["a", "b"], other: ["a", "b"] }, machine: { kernel: "6.2", cores: 4 }, shaper: {} };
  assert.deepEqual(changedFields(before, after), [
    'lists.other was ["a"] and is ["a","b"]',
    'machine.kernel was "6.1" and is "6.2"',
    'shaper.kernel was "6.1" and is absent',
  ]);
  assert.deepEqual(changedFields(before, structuredClone(before)), []);
});

test("values that differ only in type count as different, and their types are visible", () =>
  assert.deepEqual(changedFields({ port: "80", list: "1,2" }, { port: 80, list: [1, 2] }), [
    'port was "80" and is 80',
    'list was "1,2" and is [1,2]',
  ]));

test("an empty object is not the same as an absent one, or as an empty array", () => {
  assert.deepEqual(changedFields({ a: 1 }, { a: 1, b: {} }), ["b was absent and is {}"]);
  assert.deepEqual(changedFields({ b: [] }, { b: {} }), ["b was [] and is {}"]);
  assert.deepEqual(changedFields({ b: {} }, { b: { c: { d: 1 } } }), ["b.c.d was absent and is 1"]);
  assert.deepEqual(changedFields({ b: { c: 1 } }, { b: null }), ['b was {"c":1} and is null']);
});

test("if one version lacks a whole record, each field of the other version's record is named", () => {
  const hosts = { server: { x: "1", y: "2" } };
  const named = ['hosts.server.x was absent and is "1"', 'hosts.server.y was absent and is "2"'];
  assert.deepEqual(changedFields({}, { hosts }), named);
  assert.deepEqual(changedFields({ hosts: undefined }, { hosts }), named);
  assert.deepEqual(changedFields({ hosts: undefined }, {}), []);
});
