import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { blockRun, openRun } from "../record/run-folder.ts";
import { refuseChange } from "./resume.ts";

test("a run whose names mean something else now is not gone on with, and the name is named", () => {
  const { manifest: recorded } = openRun(blockRun);
  const manifest = { ...recorded, registries: usedBy(conditionsOfRun(recorded), readRegistries()) };
  const links = {
    ...manifest.registries.links,
    "10x1-20ms-0%": { ...manifest.registries.links["10x1-20ms-0%"]!, rttMs: 21 },
  };
  assert.doesNotThrow(() => refuseChange(manifest, "run"));
  assert.throws(
    () => refuseChange({ ...manifest, registries: { ...manifest.registries, links } }, "run"),
    /links "10x1-20ms-0%" has changed: rttMs was 21 and is 20;/,
  );
  assert.throws(
    () => refuseChange({ ...manifest, registries: { ...manifest.registries, hosts: [] } }, "run"),
    /the hosts in compose\.yml have changed/,
  );
});
