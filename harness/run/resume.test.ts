import assert from "node:assert/strict";
import { test } from "node:test";
import { readRegistries, usedBy } from "../../axes/registries.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { schemaVersion } from "../../schema/evidence.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import { blockRun, openRun } from "../record/run-folder.ts";
import { refuseChange, withResumeCommand } from "./resume.ts";

test("a run of an earlier version is not resumed, and nothing of it is changed", () =>
  assert.throws(
    () => refuseChange({ ...openRun(blockRun).manifest, schemaVersion: 3 }, blockRun),
    /results\/block cannot be resumed: its records are of version 3, and this lab writes version 4/,
  ));

test("a run whose names mean something else now is not gone on with, and the name is named", () => {
  const recorded = { ...openRun(blockRun).manifest, schemaVersion } as const;
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

test("the command that continues a run by workers names their option, and not the password in its address", () => {
  const run = openRun(blockRun);
  const full = () => Promise.reject(new LabError(ExitCode.failed, "the disk is full"));
  const work = withResumeCommand(run, { workers: "redis://:secret@host" }, new AbortController().signal, full);
  return assert.rejects(work, /To continue: \.\/lab run --resume \S+ --clock virtual --workers ADDRESS$/);
});
