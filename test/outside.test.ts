/** Runs an experiment outside the checkout, with every kind of file next to it, and then uses its run after the folder is removed. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { ExitCode } from "../schema/errors.ts";
import { LabCopy } from "./lab.ts";
import { paperFiles, putFile, putPaper } from "./paper.ts";

const paper = mkdtempSync(`${tmpdir()}/paper-`);
const experiment = putPaper(paper);
let copy: LabCopy;
const put = (path: string, text: string) => putFile(paper, path, text);

before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
});
after(() => {
  copy?.remove();
  rmSync(paper, { recursive: true, force: true });
});

test("`plan` finds the files next to an experiment, and refuses names that the lab already has", async () => {
  const { stdout } = await copy.lab("plan", relative(copy.folder, experiment));
  const shared = "mini/1s/16x4-30ms-0%-q60-qup64000B";
  assert.deepEqual(
    stdout.trim().split("\n"),
    ["h1", "h2"].flatMap((protocol) =>
      ["", "/ports-high"].map((ports) => `${shared}/${protocol}/iw10${ports}/mine/fair/dupacks`),
    ),
  );
  for (const [path, text, message] of [
    ["pages/A/index.html", "<p>", /page "A" is in the lab, and next to the experiment too/],
    [
      "axes/rtt.axis.ts",
      paperFiles["axes/ports.axis.ts"],
      /paper-\w+\/axes\/rtt\.axis\.ts: the lab has another axes\/rtt/,
    ],
    [
      "axes/rate2.axis.ts",
      paperFiles["axes/ports.axis.ts"]?.replace('"ports"', '"rtt"'),
      /rate2\.axis\.ts: the name rtt is already taken/,
    ],
    ["h1-h2-h3.yml", "", /the lab has an experiment with the name h1-h2-h3, too/],
  ] as const) {
    put(path, text ?? "");
    const { code, stderr } = await copy.lab("plan", path.endsWith("3.yml") ? join(paper, path) : experiment);
    rmSync(join(paper, path));
    assert.match(stderr, message);
    assert.equal(code, ExitCode.usage);
  }
  rmSync(join(paper, "pages/A"), { recursive: true });
});

test("if a server next to the experiment needs a package that guests lack, the run fails and names the server", async () => {
  put("servers/mine/packages.txt", "no-such-program\n");
  const { code, stderr } = await copy.virtualRun(experiment);
  rmSync(join(paper, "servers/mine/packages.txt"));
  assert.match(stderr, /server mine: .*lacks no-such-program; .*put this server's folder into the lab's servers\//);
  assert.equal(code, ExitCode.machineCannot);
});

test("a run contains the files next to its experiment: without their folder, it is verified and repeated byte for byte once its code is trusted", async () => {
  const run = await copy.virtualRun(experiment);
  assert.equal(run.code, 0, run.stderr);
  for (const load of run.loads) {
    assert.match(load.evidence?.serverQdiscs?.server1 ?? "", /^fq limit \d+p flow_limit 50p /);
    assert.equal(load.evidence?.serverSysctls?.server1?.["module.tcp_cubic.beta"], "600");
  }
  rmSync(paper, { recursive: true });
  for (const folder of [".lab/added", ".lab/trusted", ".lab/state/site"])
    rmSync(`${copy.folder}/${folder}`, { recursive: true });
  const name = relative(copy.folder, run.folder);
  const refused = await copy.lab("verify", name);
  assert.match(refused.stderr, /was made with code of its own.*axes\/ports\.axis\.ts.*\.\/lab trust results\/small-/);
  assert.deepEqual([refused.code, existsSync(`${copy.folder}/.lab/added`)], [ExitCode.usage, false]);
  assert.equal((await copy.lab("trust", name)).code, 0);
  const verified = await copy.lab("verify", name, "--again", "1");
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /^Valid: 4 of 4 loads;/);
  assert.deepEqual(
    [...verified.stdout.matchAll(/made again: (\d+) of (\d+) lines/g)].map(([, same, all]) => same === all),
    [true],
  );
  const tables = (await copy.lab("tables", name)).stdout;
  assert.match(tables, /Table 1\. Times\n\nMedian time to the parsed page, ms\.\n\n\| +\| +any \| high \|/);
  assert.equal((await copy.lab("figures", name)).code, 0);
  const figure = readFileSync(`${run.folder}/figures/times.csv`, "utf8");
  assert.match(figure, /^model,all bytes after two round trips,,protocol h2,any,69,/m);
  assert.match((await copy.lab("claims", name)).stdout, /Ports do nothing/);
});
