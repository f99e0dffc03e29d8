import { fetchPriority } from "../../../sites/edits/fetch-priority.ts";
import type { ChangeKind } from "../change.ts";

export const change: ChangeKind = {
  name: "fetch-priority",
  title: "a high priority for the largest image",
  changesOf: ({ seen }) =>
    seen?.largestImage
      ? [
          {
            name: `fetchpriority:${seen.largestImage}`,
            title: `give ${seen.largestImage} fetchpriority=high`,
            edit: fetchPriority(seen.largestImage),
          },
        ]
      : [],
};
