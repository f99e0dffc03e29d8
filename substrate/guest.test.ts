import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { laneProcesses } from "../harness/run/lane-process.ts";
import { asBundled } from "./bundle.ts";
import { chooseSubstrate } from "./choose.ts";
import { autoLanes, cores } from "./guest.ts";
import { netns } from "./netns.ts";
import { nodeCommand } from "./substrate.ts";

test("the cores a process may use", () => {
  assert.deepEqual(cores("0-1"), [0, 1]);
  assert.deepEqual(cores("3"), [3]);
  assert.deepEqual(cores("0-2,5,8-9"), [0, 1, 2, 5, 8, 9]);
  assert.ok(cores().length > 0 && autoLanes() > 0 && autoLanes() <= cores().length);
});

test("the virtual clock takes lanes and no substrate; the real one takes one lane", async () => {
  assert.equal((await chooseSubstrate({ clock: "virtual", lanes: 3 })).lanes.atOnce, 3);
  assert.equal((await chooseSubstrate({ clock: "virtual", lanes: "auto" })).lanes.atOnce, autoLanes());
  await assert.rejects(
    chooseSubstrate({ clock: "virtual", substrate: "netns" }),
    /the virtual one has guests of its own/,
  );
  await assert.rejects(chooseSubstrate({ lanes: 2 }), /lanes would disturb each other/);
});

test("a command without a bundle is left as it is", () =>
  assert.deepEqual(asBundled(nodeCommand("no/such.ts", "a")), nodeCommand("no/such.ts", "a")));

const folder = mkdtempSync(`${tmpdir()}/lab-`);
after(() => rmSync(folder, { recursive: true }));
const chunk = { number: 0, calibrate: [], loads: [], timeoutMs: 0 };
const laneOf = (command: string[]) =>
  laneProcesses({ ...netns, laneCommand: () => command }, folder, 1, 0.3)(chunk, 0, new AbortController().signal);
const read = async (lane: ReturnType<typeof laneOf>) => {
  const messages = [];
  for await (const message of lane) messages.push(message);
  return messages;
};

test("a lane's lines are its messages", async () =>
  assert.deepEqual(await read(laneOf(["echo", '{"load":1}'])), [{ load: 1 }]));
test("a lane that hangs is ended, and named", async () =>
  assert.rejects(read(laneOf(["sleep", "100"])), /a lane ended early \(nothing heard of it for 0 s\)/));
test("a lane that fails is named with its last words", async () =>
  assert.rejects(read(laneOf(["sh", "-c", "echo why >&2; exit 3"])), /exit code 3\): .*why/s));
