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

/** A named link. The axes `rate`, `down`, `up`, `rtt`, `loss`, `queue`, `queueUp` and `trace` override its parts. */
export const axis = defineCompound({
  name: "link",
  title: "a named link (shaper/links.yml, shaper/rate-traces/)",
  example: "10x1-100ms-1%",
  follows: "servers",
  field: "link",
  value: name,
  usual: "Cable",
  parts: ["down", "up", "rtt", "loss", "queue", "queueUp", "trace"],
  known: ({ links }) => Object.keys(links),
  expands: (link, { links }) => linkValues(entryOf(links, "links", link)),
  of(all, registries) {
    const link = namedLinkOf(all, registries);
    const named = Object.entries(registries.links).find(([, one]) => isDeepStrictEqual(one, link));
    return named?.[0] ?? linkName(link);
  },
  id: (all, registries) => linkName(namedLinkOf(all, registries)),
});
