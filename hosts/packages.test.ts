import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";

/** Returns what `packages.sh missing` prints for `lines`. The Debian release has the packages `available`, and `installed` are installed. */
function missing(lines: string[], { installed, available }: { installed: string[]; available: string[] }): string[] {
  const folder = mkdtempSync(`${tmpdir()}/lab-packages-`);
  const program = (name: string, names: string[], text: string) =>
    writeFileSync(
      `${folder}/${name}`,
      `#!/bin/sh\nfor name; do :; done\ncase $name in ${names.join("|")}) ${text} ;; esac\n`,
      {
        mode: 0o755,
      },
    );
  program("dpkg-query", installed, "echo installed");
  program("apt-cache", available, 'echo "$name | 1.0 | a mirror"');
  try {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const printed = execFileSync("hosts/packages.sh", ["missing"], { input: `${lines.join("\n")}\n`, env });
    return printed.toString().split("\n").filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("one installed alternative is enough; without one, packages.sh prints the first alternative that this Debian release has", () => {
  const lines = ["tshark", "valkey-server | redis-server", "shellcheck"];
  const debian12 = { installed: ["shellcheck"], available: ["tshark", "redis-server"] };
  const debian13 = { installed: ["shellcheck"], available: ["tshark", "redis-server", "valkey-server"] };
  assert.deepEqual(missing(lines, debian12), ["tshark", "redis-server"]);
  assert.deepEqual(missing(lines, debian13), ["tshark", "valkey-server"]);
  assert.deepEqual(missing(lines, { ...debian13, installed: ["redis-server"] }), ["tshark", "shellcheck"]);
});
