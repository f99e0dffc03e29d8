import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { readTopology } from "../hosts/topology.ts";
import { readProtocols } from "../servers/protocols.ts";
import { bundleOptions } from "./bundle.ts";
import { withoutImports, withoutUnused, withParsedFiles } from "./bundle-for-start.ts";

const bundled = (contents: string, plugins: Plugin[], more: BuildOptions = {}) =>
  build({
    ...bundleOptions,
    stdin: { contents, resolveDir: process.cwd() },
    write: false,
    outfile: "all.mjs",
    metafile: true,
    plugins,
    ...more,
  });
const run = (code: string) =>
  execFileSync(process.execPath, ["--input-type=module", "-"], { input: code, encoding: "utf8" });

test("each module that withoutUnused replaces exists in its package, and a bundle without these modules is smaller", async () => {
  const inputs = async (plugins: Plugin[]) => {
    const { metafile } = await bundled('export * from "puppeteer-core"; export * from "zod";', plugins);
    return new Map(Object.entries(metafile!.inputs).map(([path, { bytes }]) => [path, bytes]));
  };
  const [whole, smaller] = [await inputs([]), await inputs([withoutUnused])];
  const replaced = [...smaller].flatMap(([path, bytes]) => (bytes === whole.get(path) ? [] : [path]));
  assert.equal(replaced.length, 3, replaced.join("\n"));
  for (const name of ["proxy-agent", "puppeteer-core", "zod"])
    assert.ok(
      replaced.some((path) => path.includes(`node_modules/${name}/`)),
      name,
    );
  assert.ok(whole.size > smaller.size + 100, `${whole.size} modules, ${smaller.size} with withoutUnused`);
});

test("withoutImports removes all imports of Node.js's modules, and a script still finds their exports", async () => {
  const script = `import fs, { existsSync } from "node:fs"; import { setTimeout } from "node:timers/promises";
import * as path from "path"; import { EventEmitter } from "events";
await setTimeout(1);
console.log(fs.existsSync === existsSync, existsSync("/"), path.join("a", "b"), new EventEmitter().listenerCount("x"));`;
  const [imported, called] = [await bundled(script, []), await bundled(script, [withoutImports])];
  const importsOf = ({ metafile }: typeof called) =>
    Object.values(metafile!.outputs).flatMap(({ imports }) => imports.map(({ kind }) => kind));
  assert.deepEqual(new Set(importsOf(imported)), new Set(["import-statement"]));
  assert.deepEqual(importsOf(called), []);
  assert.equal(run(called.outputFiles![0]!.text), "true true a/b 0\n");
});

test("a module has the same code in a bundle, whether esbuild or a plugin finds its file", async () => {
  const script = 'import("./axes/flows.ts");';
  const finds: Plugin = {
    name: "finds",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) =>
        resolveDir.includes("node_modules") ? undefined : { path: resolve(resolveDir, path) },
      );
    },
  };
  const [itself, byPlugin] = [await bundled(script, []), await bundled(script, [finds])];
  assert.equal(byPlugin.outputFiles![0]!.text, itself.outputFiles![0]!.text);
});

test("withParsedFiles makes a bundle read compose.yml and protocols.yml without the YAML parser", async () => {
  const script = `import { readTopology } from "./hosts/topology.ts"; import { readProtocols } from "./servers/protocols.ts";
console.log(JSON.stringify([readTopology(), readProtocols()]));`;
  const noParser: Plugin = {
    name: "no-parser",
    setup({ onLoad }) {
      const contents =
        'export const parseDocument = () => { throw new Error("parsed again"); }, isScalar = 0, visit = 0;';
      onLoad({ filter: /\/node_modules\/yaml\// }, () => ({ contents }));
    },
  };
  const { outputFiles } = await bundled(script, [withParsedFiles, noParser]);
  process.env.LAB_NET = "10.1";
  const elsewhere = await bundled(script, [withParsedFiles, noParser]);
  delete process.env.LAB_NET;
  assert.equal(elsewhere.outputFiles![0]!.text, outputFiles![0]!.text);
  assert.deepEqual(
    JSON.parse(run(outputFiles![0]!.text)),
    JSON.parse(JSON.stringify([readTopology(), readProtocols()])),
  );
  const without = await bundled(script, [noParser]);
  assert.throws(() => run(without.outputFiles![0]!.text), /parsed again/);
});
