import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, test } from "node:test";
import { containerWords, imageOf, requireProcessor } from "./container.js";
import { userWords } from "./engine.js";

const folder = mkdtempSync(`${tmpdir()}/lab-npx-`);
after(() => rmSync(folder, { recursive: true }));

test("imageOf returns this version's image in the release's repository, unless PAGELOAD_LAB_IMAGE names another image", () => {
  const version = "1.2.0";
  for (const repository of ["github:Owner/Lab", { url: "git+https://github.com/Owner/Lab.git" }])
    assert.equal(imageOf({ version, repository }, undefined), "ghcr.io/owner/lab:1.2.0");
  assert.equal(imageOf({ version, repository: "github:Owner/Lab" }, "mine"), "mine");
  assert.throws(() => imageOf({ version }, ""), { code: 3, message: /from a release.*export PAGELOAD_LAB_IMAGE=/s });
});

test("requireProcessor refuses a processor other than x86-64, and suggests ./lab try", () => {
  requireProcessor("x64");
  assert.throws(() => requireProcessor("arm64"), { code: 3, message: /this machine is arm64.*\.\/lab try/s });
});

test("a container has no network and no privileges, and mounts only ./results and the given paths, which may contain any character", () => {
  const mounts = [{ source: '/a:b, "c"', target: "/given/page/x", readonly: true }];
  assert.deepEqual(containerWords("lab", { words: ["/given/page/x"], mounts }, folder, ["--user", "1:2"]), [
    ...["--rm", "--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", "1:2"],
    ...["--mount", `type=bind,"source=${folder}/results","target=/lab/results"`],
    ...["--mount", 'type=bind,"source=/a:b, ""c""","target=/given/page/x",readonly'],
    ...["lab", "gate", "/given/page/x"],
  ]);
});

test("userWords lets the user own the result files with Docker and Podman, rootless or not; without user IDs it returns no arguments", () => {
  const user = { uid: 1000, gid: 100 };
  const label = ["--security-opt", "label=disable"];
  assert.deepEqual(userWords({ program: "docker", rootless: false }, user), ["--user", "1000:100"]);
  assert.deepEqual(userWords({ program: "docker", rootless: true }, user), ["--user", "0:0"]);
  assert.deepEqual(userWords({ program: "podman", rootless: false }, user), [...label, "--user", "1000:100"]);
  assert.deepEqual(userWords({ program: "podman", rootless: true }, user), [
    ...label,
    ...["--userns", "keep-id", "--user", "1000:100"],
  ]);
  assert.deepEqual(userWords({ program: "docker", rootless: false }, null), []);
});
