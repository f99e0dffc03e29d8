/** Makes compressed copies of an imported page's texts, FILE.gz and FILE.br, next to FILE. Servers send a copy instead of FILE. */
import { link, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { lookup } from "mrmime";
import { gzip } from "pako";
import { copyEndings, type Encoding, isCompressible } from "../../schema/compression.ts";

/** Smaller files are sent uncompressed, as common CDNs do. */
export const leastCopiedBytes = 1000;
/** Brotli has quality 9, because quality 11 would take up to 25 times as long and save only 8% (measured with jquery and a font). */
const level = { gzip: 9, br: 9 } as const;

/** Loads Brotli on demand. Uses `require`, because the package's export for `import` is for browsers. */
const brotli = () => createRequire(import.meta.url)("brotli-wasm") as typeof import("brotli-wasm");

const encodings = Object.keys(copyEndings) as Encoding[];
/** The compressors are JavaScript and WebAssembly, because the output of Node.js's own zlib depends on its version and on the processor. */
export const compress: Readonly<Record<Encoding, (content: Buffer) => Uint8Array>> = {
  gzip: (content) => gzip(content, { level: level.gzip }),
  br: (content) => brotli().compress(content, { quality: level.br }),
};

const hasCopies = (path: string, bytes: number) => bytes >= leastCopiedBytes && isCompressible(lookup(path) ?? "");

/** Whether a file has the name of another file's compressed copy. Servers would send such a file instead of the other file. */
export const isNamedAsCopy = (path: string, files: ReadonlyMap<string, unknown>): boolean =>
  Object.values(copyEndings).some((ending) => path.endsWith(ending) && files.has(path.slice(0, -ending.length)));

/** Computes a file's size on the network if servers compress by gzip. */
export const gzippedBytes = (path: string, content: Buffer): number =>
  hasCopies(path, content.length) ? compress.gzip(content).length : content.length;

export async function writeCopies(file: string, content: Buffer): Promise<void> {
  if (!hasCopies(file, content.length)) return;
  for (const encoding of encodings) await writeFile(file + copyEndings[encoding], compress[encoding](content));
}

/** Makes hard links to a file's copies next to `other`, which is a hard link to the file. */
export async function linkCopies(file: string, other: string, bytes: number): Promise<void> {
  if (!hasCopies(file, bytes)) return;
  for (const ending of Object.values(copyEndings)) await link(file + ending, other + ending);
}
