/** compose.yml on a user's engine: build, up, a measurement, down. all/alone/compose-hosts.test.ts tests the hosts further. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { loadsIn } from "../../harness/record/records.ts";
import { watchBridges } from "../docker/bridges.ts";
import { cannotShape as skip } from "../docker/engine.ts";
import { LabOnEngine } from "../docker/lab.ts";
import { only } from "../lab.ts";
import { again, whyItGoesOn } from "../retry.ts";

const conditions = only("page=A", "servers=1", "link=10x1-100ms-0%", "initcwnd=3");

let lab: LabOnEngine;
before(async () => {
  if (!skip) lab = await LabOnEngine.start();
});
after(() => lab?.stop());

test("the harness prints a plan while the other hosts are down", { skip }, async () => {
  const conditions = JSON.parse(
    await lab.compose("run", "--rm", "--no-deps", "harness", "plan", "--json"),
  ) as unknown[];
  assert.equal(conditions.length, 288);
});

let foreign: string[] | undefined; // undefined until the run has ended
test("`docker compose up` makes all loads and exits with 0; HTTP/1.1 takes longer than HTTP/2", { skip }, async (t) => {
  const bridges = await watchBridges(lab);
  const runFolder = () => join(lab.folder, "results", readdirSync(join(lab.folder, "results"))[0] ?? "");
  const { code, output } = await again(
    t,
    (before) => lab.up(before ? ["run", "--resume"] : ["run", "--loads", "2", ...conditions]),
    ({ code }) => whyItGoesOn(code, runFolder()),
  );
  foreign = await bridges.stop();
  assert.equal(code, 0, output);
  const attempts = loadsIn(runFolder());
  for (const load of attempts)
    if (!load.ok) t.diagnostic(`repeated a failed load: ${load.reason} ${JSON.stringify(load.evidence?.processor)}`);
  const loads = attempts.flatMap((load) => (load.ok ? [load] : []));
  assert.deepEqual(loads.map(({ protocol }) => protocol).sort(), ["h1", "h1", "h2", "h2"]);

  const [lane] = jsonLines<{ substrate: string; shaper: { name: string; kernel: string } }>(
    join(runFolder(), "lanes.jsonl"),
  );
  assert.equal(lane?.substrate, "compose");
  assert.match(lane?.shaper.name ?? "", /^(kernel|uml)$/);

  const [h1, h2] = ["h1", "h2"].map((protocol) =>
    mean(loads.filter((load) => load.protocol === protocol).map((load) => load.pageLoadMs)),
  );
  t.diagnostic(
    `page A at 10/1 Mb/s, 100 ms: h1 ${h1?.toFixed(0)} ms, h2 ${h2?.toFixed(0)} ms; shaped by ${lane?.shaper.name} ${lane?.shaper.kernel}`,
  );
  assert.ok(h1 && h2 && h1 > 1500 && h1 > h2, "HTTP/1.1 must take over 1500 ms, and longer than HTTP/2");
});

test("during the run, the engine's bridges carried only TCP, UDP and ICMP between the lab's hosts", { skip }, () =>
  assert.deepEqual(foreign, []),
);

test("`docker compose up` exits with 2 after a usage error", { skip }, async () => {
  const { code, output } = await lab.up(["run", "--only", "page=Z"]);
  assert.equal(code, 2, output);
  assert.match(output, /unknown page "Z"/);
});

test("`docker compose down` leaves no container, network or volume", { skip }, async () => {
  await lab.compose("down", "--volumes");
  const label = ["--quiet", "--filter", `label=com.docker.compose.project=${lab.project}`];
  for (const list of [
    ["ps", "--all"],
    ["network", "ls"],
    ["volume", "ls"],
  ])
    assert.equal(await lab.run("docker", ...list, ...label), "", list.join(" "));
});

const jsonLines = <T>(path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
