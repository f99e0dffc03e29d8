import type { Chunk } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { entryOf, isImported } from "../../schema/registries.ts";
import { warmingPage } from "../../servers/software.ts";
import { importedRoot, serverTimesFile, stampFile, variantFolder } from "../../sites/paths.ts";
import { replayCertificates } from "../../sites/recorded/replay-file.ts";

const conditionsOf = (chunk: Chunk): Condition[] =>
  chunk.kind === "loads" ? chunk.loads.map(({ condition }) => condition) : chunk.conditions;

export function serversOf(chunk: Chunk): string[] {
  const measuring = chunk.kind === "loads" ? chunk.calibrate : [];
  const loading = conditionsOf(chunk).map(({ settings }) => settings);
  return [...new Set([...measuring, ...loading].map(({ server }) => server.software))];
}

/** Returns how many hosts the pages of a chunk's loads are divided over. Links are measured to the first host. */
export const hostCountOf = (chunk: Chunk): number =>
  Math.max(1, ...conditionsOf(chunk).map(({ settings }) => settings.page.hosts));

/** Returns the paths below the servers' document root that a chunk's loads need. For imported pages, these are only the loaded variants. */
export function sitePathsOf(chunk: Chunk): string[] {
  const { pages } = chunk.registries;
  const pathsOf = ({ settings: { page } }: Condition): string[] => {
    const entry = entryOf(pages, "pages", page.name);
    if (!isImported(entry)) return [page.name];
    const files = [stampFile, entry.recorded ? replayCertificates : serverTimesFile].map(
      (path) => `${importedRoot}/${page.name}/${path}`,
    );
    return [...files, variantFolder(page.name, page.hosts, page.protocol)];
  };
  return [...new Set([warmingPage, ...conditionsOf(chunk).flatMap(pathsOf)])].sort();
}
