import { encodingOf } from "../../../axes/expected.ts";
import type { ChangeKind } from "../change.ts";

const titles = { br: "compress texts with Brotli", gzip: "compress texts with gzip" } as const;

export const change: ChangeKind = {
  name: "compression",
  title: "another compression of the page's texts",
  changesOf({ now, seen, registries }) {
    if (!seen) return [];
    const present = encodingOf(now, registries);
    return (["br", "gzip"] as const)
      .filter((compression) => compression !== present)
      .map((compression) => ({
        name: `compression-${compression}`,
        title: titles[compression],
        values: { compression },
      }));
  },
};
