import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { after, test } from "node:test";
import { bundleScripts, removeOthers } from "./bundle.ts";

const [checkout, folder] = [process.cwd(), mkdtempSync("/tmp/bundle-test-")];
after(() => {
  process.chdir(checkout);
  rmSync(folder, { recursive: true });
});

test("scripts of servers that no longer exist are removed from the bundle", () => {
  for (const name of ["servers/gone", "servers/node"]) {
    mkdirSync(`${folder}/${name}`, { recursive: true });
    writeFileSync(`${folder}/${name}/main.mjs`, "");
  }
  writeFileSync(`${folder}/old.mjs`, "");
  removeOthers(folder, new Set([resolve(folder, "servers/node/main.mjs")]));
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), [
    "servers",
    "servers/node",
    "servers/node/main.mjs",
  ]);
});

/** Makes a checkout with one line in each script. */
function putScripts(): void {
  const scripts = ["substrate/netns-lane.ts", "harness/lane/lane.ts", "servers/agent.ts", "shaper/agent.ts"];
  for (const path of [...scripts, "package-lock.json", "compose.yml", "servers/protocols.yml"]) {
    mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    writeFileSync(
      `${folder}/${path}`,
      path.endsWith(".ts") ? 'import { word } from "../schema/word.ts"; console.log(word)' : "{}",
    );
  }
  writeFileSync(`${folder}/harness/lane/lane.ts`, "");
  mkdirSync(`${folder}/schema`);
  writeFileSync(`${folder}/schema/word.ts`, 'export const word = "first";');
}

test("bundles are rebuilt if a source or a bundle has changed, and kept otherwise", async () => {
  putScripts();
  process.chdir(folder);
  const bundle = ".lab/bundle/shaper/agent.mjs";
  const builtAt = async () => {
    await bundleScripts();
    return statSync(".lab/bundle.made-from").mtimeMs;
  };
  const first = await builtAt();
  assert.match(readFileSync(bundle, "utf8"), /"first"/);
  assert.equal(await builtAt(), first);
  writeFileSync("schema/word.ts", 'export const word = "other";');
  const second = await builtAt();
  assert.notEqual(second, first);
  assert.match(readFileSync(bundle, "utf8"), /"other"/);
  for (const edit of [
    () => writeFileSync(bundle, "edited"),
    () => rmSync(bundle),
    () => writeFileSync(".lab/bundle/more.mjs", ""),
  ]) {
    edit();
    await bundleScripts();
    assert.match(readFileSync(bundle, "utf8"), /"other"/);
    assert.deepEqual(readdirSync(".lab/bundle").toSorted(), ["harness", "servers", "shaper", "substrate"]);
  }
});
