/** Plugins of the bundler that make guests' programs start sooner. A guest starts several programs, one on each of its hosts. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { interpolated } from "../hosts/topology.ts";
import { parsed } from "../schema/yaml-file.ts";
import { protocolsFile } from "../servers/protocols.ts";

/** Modules to replace: a pattern for the end of each module's path, and the new contents. */
const replaced: { path: RegExp; contents: string }[] = [
  // Puppeteer loads this module, with two megabytes of dependencies, only to download browsers.
  {
    path: /\/proxy-agent\/[\w/.]+$/,
    contents: 'export class ProxyAgent { constructor() { throw new Error("in a guest there is no proxy"); } }',
  },
  // Puppeteer makes a logger for each message, and the logger asks the kernel each time whether stderr is a terminal.
  { path: /\/puppeteer-core\/[\w/]+\/common\/Debug\.js$/, contents: "export const debug = () => () => {};" },
  // Zod has messages in fifty languages; guests use only English.
  { path: /\/zod\/v4\/locales\/index\.js$/, contents: 'export { default as en } from "zod/v4/locales/en.js";' },
];

export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    for (const { path, contents } of replaced) onLoad({ filter: path }, () => ({ contents }));
  },
};

/** Replaces imports of Node.js's modules by calls. An import reads every export of the module, and some exports load more modules. */
export const withoutImports: Plugin = {
  name: "without-imports",
  setup({ onLoad, onResolve }) {
    const isOfNode = (path: string) => builtinModules.includes(path.replace(/^node:/, ""));
    onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
      kind === "import-statement" && (isOfNode(path) || path === "koffi") ? { path, namespace: "called" } : undefined,
    );
    onLoad({ filter: /./, namespace: "called" }, ({ path }) => ({
      contents: `module.exports = ${isOfNode(path) ? "process.getBuiltinModule" : "require"}(${JSON.stringify(path)});`,
    }));
  },
};

/** YAML files that every program of a guest reads. */
export const parsedFiles = ["compose.yml", protocolsFile];

/** Puts the values of these files into the bundles. A program parses a file only if a variable such as LAB_NET changes the file's text. */
export const withParsedFiles: Plugin = {
  name: "with-parsed-files",
  setup({ onLoad }) {
    onLoad({ filter: /\/yaml-file\.ts$/ }, ({ path }) => {
      if (path !== fileURLToPath(new URL("../schema/yaml-file.ts", import.meta.url))) return;
      const pairs = parsedFiles.map((file) => {
        const text = interpolated(readFileSync(file, "utf8"), {}); // a bundle does not depend on this process's variables
        return [text, parsed(text, file)];
      });
      const contents = `${readFileSync(path, "utf8")}\nfor (const [text, value] of ${JSON.stringify(pairs)}) known.set(text, value);`;
      return { contents, loader: "ts", resolveDir: dirname(path) };
    });
  },
};
