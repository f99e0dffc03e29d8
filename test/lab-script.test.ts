/** Where ./lab runs a command, before any of its TypeScript does. In the place of an engine stands a program that says what it is asked. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { LabCopy } from "./lab.ts";

const engine = mkdtempSync(join(tmpdir(), "lab-engine-"));
let copy: LabCopy;
before(async () => {
  writeFileSync(join(engine, "docker"), '#!/bin/sh\necho "engine: $*"\n', { mode: 0o755 });
  copy = await LabCopy.make();
  copy.put("results/mine/run.json", '{\n  "clock": "virtual"\n}\n');
  copy.put("results/other/run.json", '{\n  "clock": "real"\n}\n');
});
after(() => {
  rmSync(engine, { recursive: true });
  copy?.remove();
});

const said = (...words: string[]) => {
  const env = { ...process.env, PATH: `${engine}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync("./lab", words, { cwd: copy.folder, encoding: "utf8", env });
  return stdout + stderr;
};

for (const words of [["--resume", "results/mine"], ["--resume=results/mine"], ["--resume", "mine"]])
  test(`a run on the virtual clock is resumed here, where an engine is too: ${words.join(" ")}`, () =>
    assert.doesNotMatch(said("run", ...words, "--dry-run"), /engine: compose/));

test("a run on the real clock is resumed in the engine's containers", () =>
  assert.match(
    said("run", "--resume", "results/other", "--dry-run"),
    /engine: compose run .* run --resume results\/other/,
  ));

test(
  "a read-only file system is named, with what to do",
  { skip: process.getuid?.() !== 0 && "only root may mount" },
  () => {
    const mounted =
      'mount --bind "$PWD" "$PWD" && mount -o remount,bind,ro "$PWD" && cd "$PWD" && ./lab run --clock virtual';
    const { status, stderr } = spawnSync("unshare", ["--mount", "sh", "-c", mounted], {
      cwd: copy.folder,
      encoding: "utf8",
    });
    assert.equal(status, ExitCode.machineCannot);
    assert.match(stderr, /is on a read-only file system: use a clone where you may write/);
  },
);
