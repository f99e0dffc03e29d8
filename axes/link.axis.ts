import { isDeepStrictEqual } from "node:util";
import { linkName } from "../schema/link.ts";
import { entryOf } from "../schema/registries.ts";
import { defineCompound } from "./axis.ts";
import { linkValues, namedLinkOf } from "./link-values.ts";
import { name } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    link: string;
  }
}

/** A named link. The axes `rate`, `down`, `up`, `rtt`, `loss`, `queue` and `queueUp` override its parts. */
export const axis = defineCompound({
  name: "link",
  title: "a named link (shaper/links.yml)",
  example: "10x1-100ms-1%",
  follows: "servers",
  field: "link",
  value: name,
  usual: "Cable",
  parts: ["down", "up", "rtt", "loss", "queue", "queueUp"],
  known: ({ links }) => Object.keys(links),
  expands: (link, { links }) => linkValues(entryOf(links, "links", link)),
  of(all, { links }) {
    const link = namedLinkOf(all);
    const named = Object.entries(links).find(([, one]) => isDeepStrictEqual(one, link));
    return named?.[0] ?? linkName(link);
  },
  id: (all) => linkName(namedLinkOf(all)),
});
