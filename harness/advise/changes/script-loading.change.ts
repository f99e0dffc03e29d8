import { inTurn } from "../../../sites/edits/edited-page.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import { scriptLoading } from "../../../sites/edits/script-loading.ts";
import type { ChangeKind } from "../change.ts";

const mostFiles = 4;
const ways = ["defer", "async"] as const;

export const change: ChangeKind = {
  name: "script-loading",
  title: "scripts that do not block the parser",
  changesOf({ seen }) {
    if (!seen) return [];
    const blocking = requestedBy(seen.page, seen.document)
      .filter(({ as, blocking }) => as === "script" && blocking)
      .map(({ path }) => path);
    const single = ways.flatMap((way) =>
      blocking.slice(0, mostFiles).map((path) => ({
        name: `${way}:${path}`,
        title: `load ${path} with ${way}`,
        edit: scriptLoading(path, way),
      })),
    );
    if (blocking.length < 2) return single;
    // Deferred scripts still run in document order, so a script can depend on an earlier one.
    const edit = inTurn(...blocking.map((path) => scriptLoading(path, "defer")));
    return [
      ...single,
      { name: "defer-scripts", title: `load all ${blocking.length} blocking scripts with defer`, edit },
    ];
  },
};
