/** The image of the virtual clock: the lab runs in a plain container, and in a container without any privileges. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import type { GoodLoad } from "../../schema/records.ts";
import { cannotStartEngine as skip } from "../docker/engine.ts";
import { LabOnEngine } from "../docker/lab.ts";
import { only } from "../lab.ts";

const experiment = [
  "run",
  "--clock",
  "virtual",
  "--lanes",
  "1",
  "--loads",
  "1",
  ...only("page=A", "servers=1", "link=20x2-20ms-0%", "initcwnd=10"),
];
/** The user is unknown to the image, as on Kubernetes. */
const noRights = ["--cap-drop=ALL", "--network=none", "--user=12345:12345", "--security-opt=no-new-privileges"];

let lab: LabOnEngine;
let image: string;
let machineImage: string;
before(async () => {
  if (skip) return;
  lab = await LabOnEngine.withoutImages();
  [image, machineImage] = [`${lab.project}-virtual`, `${lab.project}-machine`];
  await lab.importMachine(machineImage);
  Object.assign(lab.env, { KERNEL: machineImage, ROOT: machineImage });
  // Compose uses BuildKit on both Debian versions. Without BuildKit, every stage would be built, including kernel and root file system.
  await lab.compose("--file", "compose.workers.yml", "build", "--quiet");
});
after(async () => {
  await lab?.compose("--file", "compose.workers.yml", "down", "--volumes", "--rmi", "all").catch(() => {});
  await lab?.run("docker", "image", "rm", machineImage).catch(() => {});
  await lab?.stop();
});

let plain: GoodLoad[] = [];
test("a plain `docker run` makes valid loads", { skip }, async (t) => {
  plain = await loadsOf("plain", []);
  t.diagnostic(plain.map(({ condition, pageLoadMs }) => `${condition} ${pageLoadMs} ms`).join(", "));
});

test(
  "a container of an unknown user, without capabilities or network, makes the same loads as a plain container",
  {
    skip,
  },
  async () => {
    const loads = await loadsOf("no-rights", noRights);
    assert.deepEqual(
      loads.map(({ pageLoadMs }) => pageLoadMs),
      plain.map(({ pageLoadMs }) => pageLoadMs),
    );
    assert.deepEqual(loads, plain);
  },
);

test("workers in containers, with a queue in Valkey, make the same loads as a plain container", { skip }, async () => {
  const results = resultsFolder("by-workers", 0o777);
  lab.env.LAB_RUN = experiment.slice(1).join(" ");
  const run = { volumes: [`${results}:/lab/results`] };
  writeFileSync(join(lab.folder, "by-workers.json"), JSON.stringify({ services: { run } }));
  const files = ["--file", "compose.workers.yml", "--file", "by-workers.json"];
  await lab.compose(...files, "up", "--scale", "worker=2", "--exit-code-from", "run"); // throws when the run fails
  assert.deepEqual(loadsIn(results), plain);
});

test("another container, without privileges, repeats the plain container's run byte for byte", { skip }, async () => {
  const said = await inContainer(join(lab.folder, "results", "plain"), noRights, "verify", "--again", "2");
  const again = [...said.matchAll(/^Chunk \d+, made again: (\d+) of (\d+) lines are the same/gm)];
  assert.equal(again.length, 2, said); // one chunk calibrates the link, one makes the loads
  assert.ok(
    again.every(([, same, lines]) => same === lines),
    said,
  );
});

test(
  "a gate without privileges finds a page by its path relative to the container's working folder",
  { skip },
  async () => {
    const work = join(lab.folder, "results", "work");
    mkdirSync(join(work, "page"), { recursive: true });
    writeFileSync(join(work, "page/index.html"), "<!doctype html><title>gate</title><p>text");
    const results = resultsFolder("gate", 0o777);
    const words = ["gate", "page", "--links", "Cable", "--loads", "1", "--budget", "requests=1"];
    const said = await inContainer(results, [...noRights, `--volume=${work}:/work:ro`, "--workdir=/work"], ...words);
    assert.match(said, /^# Page-speed gate: passed$/m);
  },
);

test("a run fails with a message if the container's user cannot write to the results folder", { skip }, async () => {
  const results = resultsFolder("foreign", 0o755);
  await assert.rejects(inContainer(results, noRights, ...experiment), /cannot write a run: EACCES/);
});

/** Makes and verifies a run in containers with these options of `docker run`. @returns the run's loads, sorted by condition */
async function loadsOf(name: string, options: string[]): Promise<GoodLoad[]> {
  const results = resultsFolder(name, 0o777);
  await inContainer(results, options, ...experiment);
  assert.match(await inContainer(results, options, "verify"), /^Valid: 2 of 2 loads; 0 flagged, .* 0 missing/m);
  return loadsIn(results);
}

function loadsIn(results: string): GoodLoad[] {
  const [run = ""] = readdirSync(results);
  const loads = readFileSync(join(results, run, "loads.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as GoodLoad);
  return loads.sort((a, b) => (a.condition < b.condition ? -1 : 1));
}

function resultsFolder(name: string, mode: number): string {
  const folder = join(lab.folder, "results", name);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return folder;
}

const inContainer = (results: string, options: string[], ...words: string[]) =>
  lab.run("docker", "run", "--rm", ...options, "--volume", `${results}:/lab/results`, image, ...words);
