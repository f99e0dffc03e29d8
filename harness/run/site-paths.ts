import { broughtRoot, stampFile, variantName } from "../../pages/paths.ts";
import type { Chunk, Condition } from "../../schema/plan.ts";
import { isBrought } from "../../schema/registries.ts";
import { warmingPage } from "../../servers/software.ts";

/** Where below the servers' root lies what a chunk's loads ask for; of a brought page, the variants alone that they are of. */
export function sitePathsOf({ loads, learn = [], capture = [], registries: { pages } }: Chunk): string[] {
  const conditions = [...loads.map(({ condition }) => condition), ...learn, ...capture];
  const pathsOf = ({ settings: { page } }: Condition): string[] => {
    if (!isBrought(pages[page.name]!)) return [page.name];
    const folder = `${broughtRoot}/${page.name}`;
    return [`${folder}/${stampFile}`, `${folder}/${variantName(page.hosts, page.protocol)}`];
  };
  return [...new Set([warmingPage, ...conditions.flatMap(pathsOf)])].sort();
}
