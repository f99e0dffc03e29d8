import assert from "node:assert/strict";
import test from "node:test";
import { run } from "../hosts/command.ts";
import { PauseWatch } from "./pauses.ts";

/** Stops and continues this process, which looks like a pause of the machine. The shell script is constant. */
const pauseThis = ["sh", "-c", 'kill -STOP "$0"; sleep 0.2; kill -CONT "$0"', String(process.pid)];

test("PauseWatch measures a pause's length, and forgets the pause on restart", async (t) => {
  const watch = await PauseWatch.open();
  if (!watch) return t.skip("real-time priority is not permitted");
  watch.restart();
  await run(pauseThis);
  const { longestMs, totalMs } = watch.read();
  assert.ok(longestMs > 150 && totalMs >= longestMs, `longest ${longestMs} ms, total ${totalMs} ms`);
  watch.restart();
  assert.ok(watch.read().longestMs < longestMs);
});
