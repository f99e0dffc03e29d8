import { existsSync, readdirSync } from "node:fs";
import { build } from "esbuild";
import { bundleFolder } from "../hosts/bundled.ts";

/** The scripts that start in a guest. A server that is a script of the lab has a main.ts. */
const scripts = () => [
  "substrate/netns-lane.ts",
  "harness/lane/lane.ts",
  "servers/agent.ts",
  "shaper/agent.ts",
  ...readdirSync("servers")
    .map((name) => `servers/${name}/main.ts`)
    .filter((path) => existsSync(path)),
];

/**
 * Bundles each script with all its imports into one file of JavaScript, because reading and translating hundreds of files takes half of
 * the time in which a guest starts. Each run builds the bundles once, so that all its guests run the same.
 */
export const bundleScripts = () =>
  build({
    entryPoints: scripts(),
    outdir: bundleFolder,
    outbase: ".",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    legalComments: "none",
    preserveSymlinks: true, // the bundle names files by their paths, and node_modules may be a link to anywhere
    external: ["koffi"], // has a library beside it
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module";\nconst require = bundleRequire(import.meta.url);',
    },
  });
