import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CommanderError } from "commander";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { endingOf } from "./ending.ts";
import { makeFolder } from "./folder.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("a file system error that a user can solve becomes one line with the path and the reason", () => {
  const folder = mkdtempSync(join(tmpdir(), "lab-ending-"));
  const file = join(folder, "file");
  writeFileSync(file, "");
  const ending = endingOf(thrownBy(() => mkdirSync(join(file, "report"), { recursive: true })));
  assert.equal(ending.exitCode, ExitCode.machineCannot);
  assert.equal(ending.text, `${file}/report: a part of the path is not a folder (ENOTDIR, mkdir)`);
  const inNothing = endingOf(thrownBy(() => makeFolder("/proc/lab/report")));
  assert.equal(inNothing.exitCode, ExitCode.machineCannot);
  assert.match(inNothing.text, /^\/proc\/lab: its file system allows no folder there/);
  makeFolder(join(folder, "a", "b"));
  assert.ok(statSync(join(folder, "a", "b")).isDirectory());
  const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "open", path: "/x/tables.md" });
  assert.equal(endingOf(full).text, "/x/tables.md: the disk is full (ENOSPC, open)");
  rmSync(folder, { recursive: true });
});

test("an error that no user can solve, such as ENOENT, is reported as a defect of the lab, with a stack trace", () => {
  const missing = endingOf(thrownBy(() => rmSync("/no/such/file")));
  assert.equal(missing.exitCode, ExitCode.failed);
  assert.match(missing.text, /defect of the lab: Error: ENOENT[^\n]*\n +at /);
  assert.match(
    endingOf(new TypeError("x is not a function")).text,
    /defect of the lab: TypeError: x is not a function\n/,
  );
});

test("a LabError keeps its exit code and text; the text is empty for an error that commander has printed already", () => {
  assert.deepEqual(endingOf(new LabError(ExitCode.loadsMissing, "two are missing")), {
    exitCode: ExitCode.loadsMissing,
    text: "two are missing",
  });
  assert.deepEqual(endingOf(new CommanderError(1, "x", "unknown")), { exitCode: ExitCode.usage, text: "" });
  assert.deepEqual(endingOf(new CommanderError(0, "x", "help")), { exitCode: ExitCode.done, text: "" });
});
