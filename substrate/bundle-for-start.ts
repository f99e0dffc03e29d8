/** Makes guests' programs start sooner. A guest starts eight of them, and most of its CPU time until the first load is spent on that. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import type { Plugin } from "esbuild";
import { parse } from "yaml";
import { interpolated } from "../hosts/topology.ts";
import { protocolsFile } from "../servers/protocols.ts";

/** Modules that are loaded but never used: the end of a module's path, and what stands in for it. */
const replaced: { path: RegExp; contents: string }[] = [
  // Puppeteer loads it, with two megabytes of dependencies, only to download browsers.
  {
    path: /\/proxy-agent\/[\w/.]+$/,
    contents: 'export class ProxyAgent { constructor() { throw new Error("in a guest there is no proxy"); } }',
  },
  // Puppeteer makes a logger for each message, and the logger asks the kernel each time whether stderr is a terminal.
  { path: /\/puppeteer-core\/[\w/]+\/common\/Debug\.js$/, contents: "export const debug = () => () => {};" },
  // Zod has its messages in fifty languages.
  { path: /\/zod\/v4\/locales\/index\.js$/, contents: 'export { default as en } from "zod/v4/locales/en.js";' },
];

export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    for (const { path, contents } of replaced) onLoad({ filter: path }, () => ({ contents }));
  },
};

/** `import` reads every export of a module of Node.js, and some of them load more modules when they are read. A function call does not. */
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

/** Programs get these files' values with their code. They still parse a text that differs, as with another LAB_NET. */
export const withParsedFiles: Plugin = {
  name: "with-parsed-files",
  setup({ onLoad }) {
    onLoad({ filter: /\/schema\/yaml-file\.ts$/ }, ({ path }) => {
      const texts = parsedFiles.map((file) => interpolated(readFileSync(file, "utf8")));
      const pairs = JSON.stringify(texts.map((text) => [text, parse(text, { merge: true }) as unknown]));
      const contents = `${readFileSync(path, "utf8")}\nfor (const [text, value] of ${pairs}) known.set(text, value);`;
      return { contents, loader: "ts", resolveDir: dirname(path) };
    });
  },
};
