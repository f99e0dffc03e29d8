/** `./lab why` from its command line: it measures, is killed, is resumed, and gives the same answer as an uninterrupted run. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ExitCode } from "../../schema/errors.ts";
import { LabCopy, RunningLab } from "../lab.ts";

let copy: LabCopy;
before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
});
after(() => copy?.remove());

const asked = ["--page", "A", "--protocol", "h1,h2", "--link", "10x1-100ms-1%"];
const measured = [...asked, "--causes", "random-loss,queue-limit", "--loads", "5"];

interface Answer {
  loads: number;
  digest: string;
  plan: { causes: { name: string }[]; leftOut?: string[] };
  estimates: {
    differenceMs: { value: number };
    restMs: { value: number };
    causes: { name: string; ms: { value: number } }[];
  };
}

let whole: Answer;
test("the shares of the causes and the rest add up to the protocols' difference", { timeout: 900_000 }, async () => {
  const { code, stdout, stderr } = await copy.lab("why", ...measured, "--json");
  assert.equal(code, ExitCode.done, stderr);
  whole = JSON.parse(stdout) as Answer;
  const { differenceMs, restMs, causes } = whole.estimates;
  assert.deepEqual(causes.map(({ name }) => name).sort(), ["queue-limit", "random-loss"]);
  assert.equal(whole.loads, 2 * 4 * 5);
  const sum = causes.reduce((total, { ms }) => total + ms.value, restMs.value);
  assert.ok(Math.abs(sum - differenceMs.value) < 1e-6, `${sum} and not ${differenceMs.value}`);
});

test(
  "a run that is killed and then resumed with one lane gives the same answer as an uninterrupted run",
  { timeout: 900_000 },
  async () => {
    const run = new RunningLab(["why", ...measured, "--lanes", "2"], { folder: copy.folder });
    while (!/[1-9]\d*\/40 loads/.test(run.stderr)) {
      assert.equal(run.child.exitCode, null, run.stderr);
      await sleep(200);
    }
    run.child.kill("SIGKILL");
    await run.ended;
    const { code, stdout, stderr } = await copy.lab("why", "--resume", run.folder!, "--lanes", "1", "--json");
    assert.equal(code, ExitCode.done, stderr);
    const { estimates, digest } = JSON.parse(stdout) as Answer;
    assert.deepEqual([estimates, digest], [whole.estimates, whole.digest]);
  },
);

test("with more than five causes, a separate run first chooses five of them", { timeout: 1_800_000 }, async () => {
  const { code, stdout, stderr } = await copy.lab("why", ...asked, "--loads", "5", "--json");
  assert.equal(code, ExitCode.done, stderr);
  const { plan } = JSON.parse(stdout) as Answer;
  assert.equal(plan.causes.length, 5);
  assert.ok(
    plan.causes.some(({ name }) => name === "random-loss"),
    JSON.stringify(plan),
  );
  assert.equal(plan.leftOut?.length, 3);
  assert.equal([...stderr.matchAll(/^results\/\S+:/gm)].length, 2, "two runs: one chooses, the other measures");
});

test("invalid arguments of why are refused before anything starts", async () => {
  for (const [words, message] of [
    [["--page", "A,C", "--protocol", "h1,h2"], /--page and --protocol have several values/],
    [["--page", "A"], /nothing to compare/],
    [["--protocol", "h1,h2", "--loads", "4"], /4 blocks are too few/],
    [["--protocol", "h1,h2", "--causes", "gravity"], /unknown cause "gravity"; known: /],
    [["--protocol", "h1,h2", "--link", "Cable", "--causes", "random-loss"], /neither side has it/],
    [["--protocol", "h1,h2", "--clock", "real"], /unknown option '--clock'/],
    [["absent"], /unknown run "absent"/],
    [["--protocol", "h1,h1"], /h1 is given twice/],
    [["--protocol", "h1,h2", "--causes", "rate,rate"], /rate is given twice/],
    [["--resume", "--loads", "7", "--page", "A"], /leave out --loads, --page/],
  ] as const) {
    const { code, stderr } = await copy.lab("why", ...words);
    assert.equal(code, ExitCode.usage, stderr);
    assert.match(stderr, message);
  }
});
