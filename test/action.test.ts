/** What action.yml gives to the container, and which pages it refuses. In the place of Docker stands a program that keeps its words. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const action = parse(readFileSync(fileURLToPath(new URL("../action.yml", import.meta.url)), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "lab-action-"));
after(() => rmSync(folder, { recursive: true }));

const checkout = join(folder, 'check:out, "a"');
const words = join(folder, "words");
for (const page of ["dist", "main-dist", "outside"])
  mkdirSync(join(page === "outside" ? folder : checkout, page), { recursive: true });
symlinkSync(join(checkout, "main-dist"), join(checkout, "linked"));
symlinkSync(checkout, join(checkout, "around"));
mkdirSync(join(folder, "bin"));
writeFileSync(join(folder, "bin/docker"), `#!/bin/sh\nprintf '%s\\n' "$@" >'${words}'\n`, { mode: 0o755 });

function gate(page: string, against: string) {
  rmSync(words, { force: true });
  const { status, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", action.runs.steps[0].run],
    {
      cwd: checkout,
      encoding: "utf8",
      env: {
        ...{ PATH: `${folder}/bin:${process.env.PATH}`, RUNNER_TEMP: folder, GITHUB_WORKSPACE: checkout },
        ...{ GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary"), IMAGE: "lab" },
        ...{ PAGE: page, AGAINST: against, LINKS: "Cable", THRESHOLD: "2%", LOADS: "5", BUDGET: "" },
      },
    },
  );
  return { status, stderr, words: existsSync(words) ? readFileSync(words, "utf8").split("\n") : null };
}

test("pages of the checkout are mounted by --mount, whatever their path has, and read-only", () => {
  const { status, stderr, words } = gate("dist", "main-dist");
  assert.equal(status, 0, stderr);
  const quoted = checkout.replaceAll('"', '""');
  for (const [version, page] of [
    ["after", "dist"],
    ["before", "main-dist"],
  ])
    assert.ok(
      words?.includes(`type=bind,"source=${quoted}/${page}","target=/${version}/${page}",readonly`),
      `${words}`,
    );
  assert.ok(words?.includes("/after/dist"));
});

for (const [what, page, against, message] of [
  ["behind a link", "linked", "main-dist", /^linked is behind a symbolic link/],
  ["below a link", "dist", "around/dist", /^around\/dist is behind a symbolic link/],
  ["outside of the checkout", "dist", "../outside", /^\.\.\/outside is outside of the checkout/],
  ["that does not exist", "none", "", /^none does not exist/],
] as const)
  test(`a page ${what} is refused before anything is built or run`, () => {
    const { status, stderr, words } = gate(page, against);
    assert.equal(status, 2);
    assert.match(stderr, message);
    assert.equal(words, null);
  });
