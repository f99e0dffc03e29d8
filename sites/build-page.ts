import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "./generated-page.ts";
import { htmlFiles, type PixelSize, type ProtocolPort, type Variant } from "./html.ts";
import { makeImage } from "./image.ts";
import { makeScript } from "./script.ts";

export interface BuildOptions {
  /** The page gets an HTML file for each number of hosts and each protocol. */
  hostCounts: readonly number[];
  protocols: readonly ProtocolPort[];
}

/** Writes all files of a generated page into `outDir`. The same page and options give the same bytes. */
export async function buildPage(page: Page, outDir: string, options: BuildOptions): Promise<void> {
  await mkdir(outDir, { recursive: true });
  const pixels = new Map<number, PixelSize>();
  for (const object of page.objects) {
    const path = join(outDir, object.file);
    if (object.kind === "script") {
      await writeFile(path, makeScript(object.from, object.sizeBytes, `${page.path}: scripts.${object.index - 1}`));
    } else {
      const image = makeImage(object.format, object.sizeBytes, object.seed);
      pixels.set(object.index, image);
      await writeFile(path, image.file);
    }
  }
  for (const [file, html] of htmlFiles(page, variantsOf(options), pixels)) await writeFile(join(outDir, file), html);
}

export const variantsOf = ({ hostCounts, protocols }: BuildOptions): Variant[] =>
  hostCounts.flatMap((hostCount) => protocols.map((protocol) => ({ hostCount, protocol })));
