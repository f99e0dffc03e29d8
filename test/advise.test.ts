/** `./lab advise` for a page with two changes, one of which saves a known time. The command is interrupted and resumed. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pWaitFor from "p-wait-for";
import { ExitCode } from "../schema/errors.ts";
import { advisedPages, noisyPng } from "./advised-pages.ts";
import { LabCopy, RunningLab } from "./lab.ts";

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  for (const { what, files } of advisedPages)
    if (what === "one huge image")
      for (const [path, content] of Object.entries(files)) copy.put(`site/${path}`, content);
});
after(() => copy?.remove());

const words = ["--users", "Cable:100", "--loads", "5", "--change", "half:huge.png", "--change", "initial-window-32"];

test("halving an image saves the transfer time of half its bytes, also if advise was interrupted and resumed", async () => {
  const running = new RunningLab(["advise", "site", ...words], { folder: copy.folder });
  await pWaitFor(() => running.stderr.split("starting the browser").length > 2, { interval: 100 });
  running.child.kill("SIGINT");
  const stopped = await running.ended;
  assert.equal(stopped.code, ExitCode.interrupted, stopped.stderr);
  const [, resume = ""] = /To continue: \.\/lab advise --resume (\S+)/.exec(stopped.stderr) ?? [];
  const { code, stdout, stderr } = await copy.lab("advise", "--resume", resume, "--json");
  assert.equal(code, ExitCode.done, stderr);
  const { estimates } = JSON.parse(stdout);
  assert.equal(estimates.verdict, "helps");
  const [first] = estimates.changes;
  assert.equal(first.change, "half:huge.png");
  const halfMs = (noisyPng(400).length / 2 / (5e6 / 8)) * 1000;
  assert.ok(Math.abs(first.savedMs.value / halfMs - 1) < 0.1, `${first.savedMs.value} ms instead of ${halfMs} ms`);
});
