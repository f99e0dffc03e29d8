import assert from "node:assert/strict";
import { test } from "node:test";
import { ExitCode } from "../../../schema/errors.ts";
import { noteOf, refuseOtherVersions } from "./worker-list.ts";

const versions = { guestRoot: "0123456789ab", kernelImage: "ba9876543210", labFiles: "00112233aabb" };
const runOf = (name: string, news: object) => ({
  ...{ name, since: "2026-11-23T00:00:00Z", lanes: 0, loads: 0 },
  versions: { ...versions, ...news },
});
const other = runOf("results/other", { labFiles: "ffffffffffff" });

test("a worker is refused if runs wait, but none with the worker's versions; the error lists the differences", () => {
  refuseOtherVersions([], versions);
  refuseOtherVersions([other, runOf("results/same", {})], versions);
  assert.throws(() => refuseOtherVersions([other], versions), {
    exitCode: ExitCode.otherVersions,
    message: /results\/other: labFiles is 00112233aabb here and ffffffffffff there/,
  });
});

test("noteOf reads the note of a run or worker, and returns an empty list for a text that is not a note", () => {
  assert.deepEqual(noteOf(JSON.stringify(other)), [other]);
  for (const text of ["", "{", "null", "[".repeat(1e6), '{"name": 1}']) assert.deepEqual(noteOf(text), []);
});
