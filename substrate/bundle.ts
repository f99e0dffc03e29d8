import { existsSync } from "node:fs";
import { relative } from "node:path";
import { build } from "esbuild";

/** What runs in a guest, by the script that starts it. */
const scripts = ["substrate/netns-lane.ts", "harness/lane/lane.ts", "servers/agent.ts", "shaper/agent.ts"];
export const bundleFolder = ".lab/bundle";

/**
 * Each script with all it imports in one file of JavaScript: reading hundreds of them and translating them is half of
 * what starting a guest takes. Made anew for each run, so that all its guests run the same.
 */
export const bundleScripts = () =>
  build({
    entryPoints: scripts,
    outdir: bundleFolder,
    outbase: ".",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    legalComments: "none",
    external: ["koffi"], // has a library beside it
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module";\nconst require = bundleRequire(import.meta.url);',
    },
  });

/** Node.js, by a path that says nothing of the checkout's own: it may lie inside. */
const ownNode = relative(process.cwd(), process.execPath);
const node = ownNode.startsWith("..") ? process.execPath : ownNode;

/** A command as it is, or, if it starts a script that there is a bundle of, that. */
export function asBundled(command: string[]): string[] {
  const at = command.indexOf("tsx") + 1;
  const bundle = `${bundleFolder}/${command[at]?.replace(/ts$/, "mjs")}`;
  return at > 0 && existsSync(bundle) ? [node, bundle, ...command.slice(at + 1)] : command;
}
