import assert from "node:assert/strict";
import { test } from "node:test";
import { Shell } from "./shell.ts";
import { openTc } from "./tc.ts";

async function withShell(body: (shell: Shell) => Promise<void>): Promise<void> {
  const shell = new Shell(["sh", "-s"], process.env, null, () => {});
  try {
    await body(shell);
  } finally {
    shell.end();
  }
}

test("each command returns its own output, in order", () =>
  withShell(async (shell) => {
    const answers = await Promise.all(["one", "two", "three"].map((word) => shell.run(["echo", word])));
    assert.deepEqual(answers, ["one", "two", "three"]);
    assert.equal(await shell.run(["printf", "no-newline"]), "no-newline");
    assert.equal(await shell.run(["true"]), "");
  }));

test("a command that fails is reported with its output, and the shell continues", () =>
  withShell(async (shell) => {
    await assert.rejects(shell.run(["ls", "/nonexistent"]), /ls \/nonexistent: .*No such file/);
    await assert.rejects(shell.run(["false"]), /exit code 1/);
    assert.equal(await shell.run(["echo", "still"]), "still");
  }));

test("a command that tc refuses is reported with tc's message, and tc continues", () =>
  withShell(async (shell) => {
    const tc = openTc(shell);
    const wrong = ["qdisc", "add", "dev", "no-such-device", "root", "netem"];
    for (let i = 0; i < 2; i++) await assert.rejects(tc.run([wrong]), /Cannot find device|no-such-device/);
    assert.ok(Array.isArray(JSON.parse(await tc.run([]))));
  }));

test("a word with a special meaning to a shell is refused", () =>
  withShell(async (shell) => {
    for (const word of ["a b", "$(id)", "`id`", ";", "a\nb", "", "'", '"', "|", ">x"])
      await assert.rejects(shell.run(["echo", word]), /not a plain word/, JSON.stringify(word));
  }));

test("a shell that ends is reported with its last output", async () => {
  let message = "";
  const shell = new Shell(["sh", "-c", "echo I give up; exit 3"], process.env, null, (text) => (message = text));
  await assert.rejects(shell.run(["true"]), /sh ended \(3\)/);
  assert.match(message, /ended \(3\); its last output: I give up/);
});
