/** A lab with a real queue server, for tests of runs whose chunks are made by workers. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import pWaitFor from "p-wait-for";
import { QueueServer } from "../bench/chaos/queue-server.ts";
import { LabCopy, only, RunningLab } from "./lab.ts";

export const conditions = only("page=A", "servers=1", "link=10x1-20ms-1%", "initcwnd=3");
export const makeRun = ["run", "--clock", "virtual", "--loads", "2", "--traces", "none", ...conditions];
/** Longer than any test takes on any machine. */
const patienceMs = 600_000;

/** A lab and a queue's server for the test file that imports this module. They exist once its first test begins. */
export let copy: LabCopy;
export let server: QueueServer;

before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  server = await QueueServer.start("open-sesame");
});
after(async () => {
  for (const { child } of started) child.kill("SIGKILL"); // processes left by a failed test
  server?.end();
  copy?.remove();
});

const started: RunningLab[] = [];
export const lab = (...words: string[]) => labIn(copy, ...words);
export function labIn({ folder }: LabCopy, ...words: string[]): RunningLab {
  const running = new RunningLab(words, { folder });
  started.push(running);
  return running;
}

/** Waits until a running lab has printed this text. */
export async function printed(running: RunningLab, text: RegExp): Promise<void> {
  const ended = running.ended.then(({ stderr }) => assert.fail(`it ended before it printed ${text}:\n${stderr}`));
  await Promise.race([pWaitFor(() => text.test(running.stderr), { interval: 100, timeout: patienceMs }), ended]);
}

export async function digestOf(run: RunningLab): Promise<string | undefined> {
  const { code, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  const verified = await lab("verify", run.folder!).ended;
  assert.equal(verified.code, 0, verified.stderr);
  return /Digest of the run's lines: (\w+)/.exec(verified.stdout)?.[1];
}
