import { type Preload, preloaded } from "../../../sites/edits/preloaded.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import type { Change, ChangeKind, SeenPage } from "../change.ts";

const mostFiles = 4;

export const change: ChangeKind = {
  name: "preload",
  title: "a preload of files that the browser discovers late",
  changesOf({ seen }) {
    if (!seen) return [];
    const late = foundLate(seen);
    const single = late.slice(0, mostFiles).map(
      (one): Change => ({
        name: `preload:${one.path}`,
        title: `preload ${one.path}`,
        edit: preloaded([one]),
      }),
    );
    if (late.length < 2) return single;
    const all: Change = {
      name: "preload-late",
      title: `preload all ${late.length} files that style sheets and scripts request`,
      edit: preloaded(late),
    };
    return [...single, all];
  },
};

/** Finds files that the markup does not name: the browser requests them only after a style sheet or a script has arrived. */
function foundLate({ page, document, requests }: SeenPage): Preload[] {
  const named = new Map(requestedBy(page, document).map((one) => [one.path, one]));
  const hasModules = [...named.values()].some(({ as }) => as === "module");
  return requests.flatMap(({ path, initiator }): Preload[] => {
    const use = named.get(path);
    if (use?.from === "markup" || path === document) return [];
    if (use) return inStyles.flatMap((as) => (as === use.as ? [{ path, as }] : []));
    return initiator === "script" ? [byType(path, page.typeOf(path), hasModules)] : [];
  });
}

/** The kinds of files that style sheets request. */
const inStyles = ["style", "image", "font"] as const;

/** A preload must name how the file is used; this is guessed from the file's type. After a wrong guess, the browser loads the file twice. */
function byType(path: string, type: string, hasModules: boolean): Preload {
  if (/\/(x-)?javascript$/.test(type)) return { path, as: "script", ...(hasModules && { module: true }) };
  if (type === "text/css") return { path, as: "style" };
  if (type.startsWith("image/")) return { path, as: "image" };
  if (type.startsWith("font/") || /^application\/(x-)?font-/.test(type)) return { path, as: "font" };
  return { path, as: "fetch" };
}
