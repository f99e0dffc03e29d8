import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { asBundled } from "./bundle.ts";
import { chooseSubstrate } from "./choose.ts";
import { autoLanes, cores } from "./guest.ts";
import { shortHash } from "./guest-versions.ts";
import { nodeCommand } from "./substrate.ts";

test("the cores a process may use", () => {
  assert.deepEqual(cores("0-1"), [0, 1]);
  assert.deepEqual(cores("3"), [3]);
  assert.deepEqual(cores("0-2,5,8-9"), [0, 1, 2, 5, 8, 9]);
  assert.ok(cores().length > 0 && autoLanes() > 0 && autoLanes() <= cores().length);
});

test("the virtual clock takes lanes and no substrate; the real one takes one lane", async () => {
  const lanesOf = (lanes: number | "auto") => chooseSubstrate({ clock: "virtual", lanes }).lanes;
  assert.deepEqual(await lanesOf(3), { links: "hold", atOnce: 3, chunkLoads: 48 });
  assert.deepEqual(await lanesOf("auto"), { links: "hold", atOnce: autoLanes(), chunkLoads: 48 });
  assert.throws(
    () => chooseSubstrate({ clock: "virtual", substrate: "netns" }),
    /the virtual one has guests of its own/,
  );
  assert.throws(() => chooseSubstrate({ lanes: 2 }), /lanes would disturb each other/);
});

test("a command without a bundle is left as it is", () =>
  assert.deepEqual(asBundled(nodeCommand("no/such.ts", "a")), nodeCommand("no/such.ts", "a")));

test("files' hash follows from their names and contents, not from where they lie", () => {
  const folder = mkdtempSync(`${tmpdir()}/lab-`);
  const hashOf = (place: string, name: string, content: string) => {
    mkdirSync(`${folder}/${place}/inner`, { recursive: true });
    writeFileSync(`${folder}/${place}/inner/${name}`, content);
    return shortHash([`${folder}/${place}`]);
  };
  const first = hashOf("first", "name", "content");
  assert.equal(hashOf("second/deeper", "name", "content"), first);
  assert.notEqual(hashOf("third", "other", "content"), first);
  assert.notEqual(hashOf("fourth", "name", "other"), first);
  rmSync(folder, { recursive: true });
});
