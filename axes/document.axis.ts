import { networkPathOf } from "../schema/recorded-names.ts";
import { entryOf, type ImportedPage, isImported } from "../schema/registries.ts";
import { formerPath, importedPath, pagePath, startFile } from "../sites/paths.ts";
import { defineAxis, hidden, verdictOf } from "./axis.ts";
import { name } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    document: string;
  }
}

/** Confirmed by the path and the status of the load's first request. */
export const axis = defineAxis({
  name: "document",
  title: "which HTML file of an imported page is loaded",
  example: "about/index.html",
  follows: "page",
  field: "document",
  value: name,
  default: startFile,
  id: encodeURIComponent,
  sets: (document) => (document === startFile ? {} : { page: { document } }),
  refuses(document, { page }, { pages }) {
    const entry = pages[page];
    if (document === startFile || !entry) return null;
    if (!isImported(entry)) return `page ${page} is generated, and has one document; ${startFile} is allowed`;
    return entry.recorded && !entry.recorded.documents?.includes(document)
      ? `page ${page} was recorded without this document; it begins with ${entry.recorded.url}`
      : null;
  },
  proves(document, { page, servers, protocol }, { connections, ...evidence }, { pages }) {
    const entry = entryOf(pages, "pages", page);
    const paths = isImported(entry)
      ? (pathsOf(document, entry.recorded) ?? [importedPath(document), formerPath(page, servers, protocol, document)])
      : [pagePath({ name: page }, servers, protocol)];
    const [first] = connections.flatMap(({ requests }) => requests).sort((a, b) => a.startMs - b.startMs);
    if (!first) return hidden({ connections, ...evidence }, "no response arrived");
    return verdictOf([
      ...(paths.includes(first.path) ? [] : [`the first request was for ${first.path} instead of ${paths[0]}`]),
      ...(first.status === 404 ? [`the page has no ${document}: its server answered 404`] : []),
    ]);
  },
});

const pathsOf = (document: string, recorded: ImportedPage["recorded"]): string[] | undefined =>
  recorded && [document === startFile ? networkPathOf(new URL(recorded.url)) : `//${document}`];
