/** Runs the scripts of image.yml one after another. Programs that record their arguments stand in for docker, git, cosign and npm. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import { imageOf } from "../npx/container.js";

interface Workflow {
  env: Record<string, string>;
  jobs: { publish: { steps: { name?: string; run?: string; uses?: string }[] } };
}
const workflow: Workflow = parse(readFileSync(".github/workflows/image.yml", "utf8"));
const { steps } = workflow.jobs.publish;
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

const folder = mkdtempSync(join(tmpdir(), "lab-image-"));
after(() => rmSync(folder, { recursive: true }));
const programs = join(folder, "programs");
mkdirSync(programs);
const said = join(folder, "said");
const program = (name: string, answer: string) =>
  writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >>'${said}'\n${answer}\n`, { mode: 0o755 });
program(
  "docker",
  'case "$1 $2" in inspect*) echo "$4@sha256:1" ;; info*) echo "[]" ;; *entrypoint*) echo "{}" ;; esac',
);
program("git", "echo 2026-12-31T23:59:59Z");
program("cosign", "");
program("npm", 'case "$1 $2" in "config get") echo https://packages.example/ ;; esac');

/** Runs all steps that are scripts. @returns the step that failed, and the recorded calls of programs */
function publish(tag: string, token = "") {
  const checkout = mkdtempSync(join(folder, "checkout-"));
  for (const path of ["package.json", "npx", "harness/cli/help.txt"])
    cpSync(path, join(checkout, path), { recursive: true });
  rmSync(said, { force: true });
  const file = join(checkout, "env");
  const env: Record<string, string> = { ...workflow.env, GITHUB_ENV: file, GITHUB_REF_NAME: tag, NPM_TOKEN: token };
  Object.assign(env, {
    GITHUB_REPOSITORY: "Owner/Lab",
    GITHUB_SHA: "0123456789abcdef",
    GITHUB_SERVER_URL: "https://server",
  });
  for (const { name, run } of steps) {
    if (run === undefined) continue;
    const PATH = `${programs}:${process.env.PATH}`;
    const { status, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-e", "-c", run], {
      cwd: checkout,
      encoding: "utf8",
      env: { ...env, PATH },
    });
    if (status !== 0) return { failed: name, stderr, checkout, words: words() };
    for (const line of existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
      env[line.split("=", 1)[0]!] = line.slice(line.indexOf("=") + 1);
  }
  return { failed: null, stderr: "", checkout, words: words() };
}
const words = () => (existsSync(said) ? readFileSync(said, "utf8").trim().split("\n") : []);

test("the image has labels with its source, and the name that npx uses; it is tested, published and then signed; without a token, npm gets nothing", () => {
  const { failed, stderr, words, checkout } = publish(`v${version}`);
  assert.equal(failed, null, stderr);
  const image = imageOf({ version, repository: "github:Owner/Lab" }, undefined);
  const build = words.find((line) => line.startsWith("docker build")) ?? "";
  for (const label of [
    "source=https://server/Owner/Lab",
    `version=${version}`,
    "revision=0123456789abcdef",
    "created=2026-12-31T23:59:59Z",
    "licenses=MIT",
    "base.name=debian:trixie-slim@sha256:1",
  ])
    assert.ok(build.includes(`--label org.opencontainers.image.${label}`), build);
  const places = [`--tag ${image} `, `${image} gate `, `push --quiet ${image}`, "cosign sign"];
  const found = places.map((some) => words.findIndex((line) => line.includes(some)));
  assert.deepEqual(
    found,
    [...found].sort((a, b) => a - b),
    words.join("\n"),
  );
  assert.ok(!found.includes(-1), words.join("\n"));
  assert.ok(words.includes(`cosign sign --yes ${image}@sha256:1`), words.join("\n"));
  assert.ok(words.some((line) => line.endsWith(`substrate/sbom.ts ${image}@sha256:1 2026-12-31T23:59:59Z`)));
  assert.ok(existsSync(join(checkout, "sbom.spdx.json")));
  assert.ok(!words.some((line) => line.startsWith("npm")), "without a token nothing is published to npm");
});

test("a tag that differs from the lab's version publishes nothing", () => {
  const { failed, stderr, words } = publish("v99.0.0");
  assert.equal(failed, "build");
  assert.match(stderr, /^the tag is v99\.0\.0, but package\.json has another version/);
  assert.deepEqual(words, []);
});

test("with a token, the npm package is published with the repository's name, and .npmrc names the variable NPM_TOKEN instead of the token", () => {
  const { failed, stderr, words, checkout } = publish(`v${version}`, "secret");
  assert.equal(failed, null, stderr);
  assert.ok(words.includes("npm pkg set repository=github:Owner/Lab"));
  assert.match(words.at(-1) ?? "", /^npm publish --provenance/);
  assert.match(
    readFileSync(join(checkout, "npx/.npmrc"), "utf8"),
    /^\/\/packages\.example\/:_authToken=\$\{NPM_TOKEN\}\n$/,
  );
});

test("each action is pinned by the hash of its commit", () => {
  for (const { uses } of steps) assert.match(uses ?? "@0123456789012345678901234567890123456789", /@[0-9a-f]{40}$/);
});
