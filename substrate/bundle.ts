import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BuildOptions } from "esbuild";
import { addedFiles } from "../hosts/added.ts";
import { bundleFolder } from "../hosts/bundled.ts";
import { asIfInCheckout, bundledAdded, scriptsAdded } from "./bundle-added.ts";
import { parsedFiles, withoutImports, withoutUnused, withParsedFiles } from "./bundle-for-start.ts";

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

/** Bundles each script with its imports: reading hundreds of files takes half of a guest's start-up time. Rebuilds if a source or bundle changed. */
export async function bundleScripts(): Promise<void> {
  const sources = hashOfSources();
  const stamp = () => `${sources} ${hashOf(filesBelow(bundleFolder))}`;
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp()) return;
  await build();
  replace(stampFile, stamp());
}

/** The file with the hashes of the bundles and their sources. It is next to the bundles' folder, because lanes read the whole folder. */
const stampFile = `${bundleFolder}.made-from`;

/** The folders of the checkout that scripts of guests import from. */
const sourceFolders = [
  ...["axes", "clients", "harness", "hosts", "metrics", "models"],
  ...["observe", "schema", "servers", "shaper", "sites", "substrate"],
];

const otherSources = ["package-lock.json", ...parsedFiles];

const hashOfSources = (): string =>
  hashOf(
    sourceFolders.flatMap((folder) => filesBelow(folder).filter((path) => /\.(ts|tsx|js|json)$/.test(path))),
    JSON.stringify([addedFiles(), ...otherSources.map((file) => readFileSync(file, "utf8"))]),
  );

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => `${entry.parentPath}/${entry.name}`)
        .sort()
    : [];

function hashOf(paths: readonly string[], more = ""): string {
  const hash = createHash("sha256").update(more);
  for (const path of paths) hash.update(`\n${path}\n`).update(readFileSync(path));
  return hash.digest("hex");
}

/** The bundler's options that are the same for all bundles. */
export const bundleOptions = {
  bundle: true,
  minifySyntax: true, // with minifyWhitespace, scripts are a third shorter and start sooner; names are not shortened
  minifyWhitespace: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "error",
  legalComments: "none",
  preserveSymlinks: true, // bundles contain the paths of files, and node_modules may be a link to another place
  // esbuild applies tsconfig.json only to modules that it finds itself: for a module that bundledAdded also finds, chance would decide.
  tsconfigRaw: "{}",
  external: ["koffi"], // koffi loads a native library from its own folder
  banner: { js: 'const require = process.getBuiltinModule("module").createRequire(import.meta.url);' },
} as const satisfies BuildOptions;

async function build(): Promise<void> {
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    absWorkingDir: process.cwd(),
    write: false,
    entryPoints: [...scripts().map((path) => ({ in: path, out: path.replace(/\.ts$/, "") })), ...scriptsAdded()],
    plugins: [bundledAdded, withoutUnused, withoutImports, withParsedFiles],
    outdir: bundleFolder,
    outExtension: { ".js": ".mjs" },
  });
  for (const { path, contents } of outputFiles) writeIfOther(path, asIfInCheckout(contents));
  removeOthers(bundleFolder, new Set(outputFiles.map(({ path }) => resolve(path))));
}

/** Removes bundles of deleted scripts, because they would change guests' files, and so guests' memory. */
export function removeOthers(folder: string, made: ReadonlySet<string>): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = resolve(folder, name);
    const isNeeded = [...made].some((file) => file === path || file.startsWith(`${path}/`));
    if (!isNeeded) rmSync(path, { recursive: true, force: true });
  }
}

/** Writes only changed files, because other processes may be reading the bundles: workers share a checkout. */
function writeIfOther(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  replace(path, contents);
}

function replace(path: string, contents: Uint8Array | string): void {
  const aside = `${bundleFolder}.${process.pid}`; // outside the folder, because lanes read the whole folder
  writeFileSync(aside, contents);
  renameSync(aside, path);
}
