/** Tests what action.yml passes to the container, and which pages it refuses. A program that records its arguments stands in for Docker. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import { imageOf } from "../npx/container.js";
import { gateOptions } from "../npx/help.js";

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: [{ run: string; env: Record<string, string> }] };
}
const action: Action = parse(readFileSync("action.yml", "utf8"));
const [step] = action.runs.steps;
const folder = mkdtempSync(join(tmpdir(), "lab-action-"));
after(() => rmSync(folder, { recursive: true }));

const checkout = join(folder, 'check:out, "a"');
const words = join(folder, "words");
for (const page of ["dist", "main-dist", "outside"])
  mkdirSync(join(page === "outside" ? folder : checkout, page), { recursive: true });
writeFileSync(join(checkout, "mine.yml"), "links: [4G]\n");
symlinkSync(join(checkout, "main-dist"), join(checkout, "linked"));
symlinkSync(checkout, join(checkout, "around"));
mkdirSync(join(folder, "bin"));
writeFileSync(
  join(folder, "bin/docker"),
  `#!/bin/sh
[ "$1" != info ] || { echo "[]"; exit; }
[ "$1" != run ] || ls "$RUNNER_TEMP"/page-speed.*/config 2>/dev/null
printf '%s\\n' "$@" >>'${words}'
`,
  { mode: 0o755 },
);

/** Runs the step with these inputs, as in `{"server-times": "true"}`. @param ref the action's ref, in github.action_ref */
function gate(inputs: Record<string, string>, ref = "v1.2.0") {
  rmSync(words, { force: true });
  const values = { REF: ref, REPOSITORY: "Owner/Pageload-Lab", GITHUB_ACTION_PATH: resolve(".") };
  const ofInputs = Object.entries(step.env).flatMap(([name, expression]) => {
    const [, input] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? [];
    return input === undefined ? [] : [[name, inputs[input] ?? ""]];
  });
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
    cwd: checkout,
    encoding: "utf8",
    env: {
      ...{ PATH: `${folder}/bin:${process.env.PATH}`, RUNNER_TEMP: folder, GITHUB_WORKSPACE: checkout },
      ...{ GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") },
      ...{ ...values, ...Object.fromEntries(ofInputs) },
    },
  });
  return { status, stdout, stderr, words: existsSync(words) ? readFileSync(words, "utf8").split("\n") : null };
}

test("action.yml has an input for each option of ./lab gate, except for options that it sets itself or does not need", () => {
  const own = ["--markdown", "--junit", "--json", "--help", "--resume", "--root"];
  const inputs = Object.keys(action.inputs).filter((name) => name !== "page" && name !== "image");
  assert.deepEqual(
    inputs.map((name) => `--${name}`).sort(),
    [...gateOptions.keys()].filter((name) => !own.includes(name)).sort(),
  );
  const read = Object.values(step.env).join(" ");
  for (const name of Object.keys(action.inputs)) assert.ok(read.includes(`inputs.${name} `), `no step reads ${name}`);
});

test("pages of the checkout are mounted read-only by --mount, even if their paths contain colons, commas, quotes and spaces", () => {
  const { status, stderr, words } = gate({ page: "dist", against: "main-dist" });
  assert.equal(status, 0, stderr);
  const quoted = checkout.replaceAll('"', '""');
  for (const [option, page] of [
    ["page", "dist"],
    ["against", "main-dist"],
  ])
    assert.ok(
      words?.includes(`type=bind,"source=${quoted}/${page}","target=/given/${option}/${page}",readonly`),
      `${words}`,
    );
  assert.ok(words?.includes("/given/page/dist"));
});

test("each given input is passed to the container as an option, and a missing input is not", () => {
  const bare = gate({ page: "dist" }).words!;
  assert.deepEqual(bare.slice(bare.indexOf("gate")), [
    ...["gate", "--markdown=/given/markdown/summary.md", "--junit=/given/junit/junit.xml", "/given/page/dist", ""],
  ]);
  const given = {
    ...{ pages: "index.html", links: "4G", protocol: "h1", threshold: "3%", loads: "5", timeout: "60 s", lanes: "1" },
    ...{ budget: "requests=80\n4G:bytes=1MB", "server-times": "true" },
  };
  const { words } = gate({ page: "dist", ...given });
  for (const [name, text] of Object.entries(given))
    for (const value of text.split("\n"))
      assert.ok(
        words?.includes(name === "server-times" ? "--server-times" : `--${name}=${value}`),
        `${name}: ${words}`,
      );
});

test("the container sees the config file in a folder without other files", () => {
  const { stdout, words } = gate({ page: "dist", config: "mine.yml" });
  assert.equal(stdout, "pageload.yml\n");
  assert.ok(words?.includes("--config=/given/config/pageload.yml"), `${words}`);
});

test("for a version tag, the action uses the same published image as npx; for any other ref, it builds an image", () => {
  const published = imageOf({ version: "1.2.0", repository: "github:Owner/Pageload-Lab" }, undefined);
  const { words: ofVersion } = gate({ page: "dist" });
  assert.ok(ofVersion?.includes(published) && !ofVersion.includes("build"), `${ofVersion}`);
  assert.ok(gate({ page: "dist", image: "mine" }).words?.includes("mine"));
  for (const ref of ["main", "v1", "0123456789abcdef0123456789abcdef01234567"]) {
    const { words: built } = gate({ page: "dist" }, ref);
    assert.equal(built?.[0], "build");
    assert.ok(built.includes(`LAB_COMMIT=${ref}`) && built.includes("pageload-lab-virtual"), `${built}`);
  }
});

for (const [what, page, against, message] of [
  ["behind a symbolic link", "linked", "main-dist", /^linked is behind a symbolic link/],
  ["below a symbolic link", "dist", "around/dist", /^around\/dist is behind a symbolic link/],
  ["outside of the checkout", "dist", "../outside", /^\.\.\/outside is outside of the checkout/],
  ["that does not exist", "none", "", /^none does not exist/],
] as const)
  test(`a page ${what} is refused before anything is built or run`, () => {
    const { status, stderr, words } = gate({ page, against });
    assert.equal(status, 2);
    assert.match(stderr, message);
    assert.equal(words, null);
  });
