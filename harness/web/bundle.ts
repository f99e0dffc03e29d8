/** The report's script and style sheet, one file each, because a page opened from disk cannot import other files. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const client = fileURLToPath(new URL("./client/", import.meta.url));
let made: Promise<[string, string][]> | null = null;

/** Returns the name and text of each file, built once per process. */
export function bundle(): Promise<[string, string][]> {
  made ??= build({
    entryPoints: { report: `${client}main.tsx`, design: `${client}design.css` },
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    outdir: "/",
    legalComments: "none",
  }).then(({ outputFiles }) => outputFiles.map(({ path, text }): [string, string] => [path.slice(1), text]));
  return made;
}
