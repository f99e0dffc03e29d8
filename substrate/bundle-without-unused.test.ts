import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { withoutUnused } from "./bundle-without-unused.ts";

test("the modules that bundles leave out are where they are looked for, and a bundle without them is smaller", async () => {
  const bundle = async (plugins: (typeof withoutUnused)[]) => {
    const { metafile } = await build({
      stdin: { contents: 'export * from "puppeteer-core"; export * from "zod";', resolveDir: process.cwd() },
      bundle: true,
      write: false,
      outfile: "all.mjs",
      platform: "node",
      format: "esm",
      metafile: true,
      plugins,
      preserveSymlinks: true,
      logLevel: "error",
    });
    return new Map(Object.entries(metafile.inputs).map(([path, { bytes }]) => [path, bytes]));
  };
  const [whole, smaller] = [await bundle([]), await bundle([withoutUnused])];
  const replaced = [...smaller].flatMap(([path, bytes]) => (bytes === whole.get(path) ? [] : [path]));
  assert.equal(replaced.length, 3, replaced.join("\n"));
  for (const name of ["proxy-agent", "puppeteer-core", "zod"])
    assert.ok(
      replaced.some((path) => path.includes(`node_modules/${name}/`)),
      name,
    );
  assert.ok(whole.size > smaller.size + 100, `${whole.size} modules, ${smaller.size} without what is left out`);
});
