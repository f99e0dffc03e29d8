import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { openRun, referenceRun } from "../record/run-folder.ts";
import { refuseChange } from "./resume.ts";

test("a run of another version is not gone on with, and nothing of it is changed", () =>
  assert.throws(
    () => refuseChange(openRun(referenceRun).manifest, referenceRun),
    /results\/reference cannot be resumed: its records are of version 2, and this lab writes version 3/,
  ));

test("a run whose names mean something else now is not gone on with, and the name is named", () => {
  const { manifest: recorded } = openRun(referenceRun);
  const manifest = { ...recorded, registries: usedBy(conditionsOfRun(recorded), readRegistries()) };
  const current = { ...manifest, recordedVersion: 3 };
  const links = {
    ...manifest.registries.links,
    "10x1-20ms-0%": { ...manifest.registries.links["10x1-20ms-0%"]!, rttMs: 21 },
  };
  assert.doesNotThrow(() => refuseChange(current, "run"));
  assert.throws(
    () => refuseChange({ ...current, registries: { ...manifest.registries, links } }, "run"),
    /links "10x1-20ms-0%" has changed: rttMs was 21 and is 20;/,
  );
  assert.throws(
    () => refuseChange({ ...current, registries: { ...manifest.registries, hosts: [] } }, "run"),
    /the hosts in compose\.yml have changed/,
  );
});
