import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { ExitCode, LabError } from "../../schema/errors.ts";
import { withLifetime } from "./lifetime.ts";

test("everything that was started is stopped in reverse order, even if the work fails", async () => {
  const stopped: string[] = [];
  const work = withLifetime(async ({ onEnd }) => {
    onEnd(() => void stopped.push("first"));
    onEnd(() => void stopped.push("second"));
    throw new Error("it broke");
  });
  await assert.rejects(work, /it broke/);
  assert.deepEqual(stopped, ["second", "first"]);
});

test("if a stop function fails, the other stop functions are still called; the error is thrown, unless the work failed, too", async () => {
  const stopped: string[] = [];
  const work = (result: () => string) =>
    withLifetime(async ({ onEnd }) => {
      onEnd(() => void stopped.push("first"));
      onEnd(() => {
        throw new Error("a stop broke");
      });
      onEnd(() => void stopped.push("last"));
      return result();
    });
  await assert.rejects(
    work(() => "done"),
    /a stop broke/,
  );
  await assert.rejects(
    work(() => {
      throw new Error("the work broke");
    }),
    /the work broke/,
  );
  assert.deepEqual(stopped, ["last", "first", "last", "first"]);
});

test("interrupted work fails with the reason for the interruption, not with an error that the interruption caused", async () => {
  const reason = new LabError(ExitCode.failed, "a host has gone away");
  const work = withLifetime(async ({ abort }) => {
    abort(reason);
    throw new Error("a program was killed");
  });
  await assert.rejects(work, reason);
});

test("an error whose `cause` is the reason for the interruption is thrown unchanged, because it says how to resume", async () => {
  const work = withLifetime(async ({ abort, signal }) => {
    abort(new LabError(ExitCode.interrupted, "stopped"));
    throw new LabError(ExitCode.interrupted, "stopped; to go on: ...", { cause: signal.reason });
  });
  await assert.rejects(work, /to go on/);
});

test("work that was interrupted fails even if it returns", async () => {
  const work = withLifetime(async ({ abort }) => abort(new LabError(ExitCode.interrupted, "stopped")));
  await assert.rejects(work, { exitCode: ExitCode.interrupted });
});

const script = `
  const { withLifetime } = await import("./harness/run/lifetime.ts");
  await withLifetime(async ({ signal, onEnd }) => {
    onEnd(() => console.log("stopped"));
    console.log("ready");
    const pending = setTimeout(() => {}, 60_000); // keeps the process alive
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    clearTimeout(pending);
  }).catch(({ message, exitCode }) => { console.log(message); process.exit(exitCode); });`;

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  test(`${name} stops everything, and the exit code is that of an interrupted run`, async () => {
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (text.includes("ready")) child.kill(name);
    });
    const [code] = (await once(child, "close")) as [number];
    assert.deepEqual(
      [code, printed],
      [ExitCode.interrupted, `ready\nstopped\nstopped by ${name === "SIGINT" ? "Ctrl-C" : name}\n`],
    );
  });
