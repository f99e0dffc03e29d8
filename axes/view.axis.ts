import { caching } from "../schema/caching.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { isRepeat } from "./expected.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    view: "first" | "repeat";
  }
}

/**
 * Confirmed by the client, which reports each response from its cache with the Cache-Control header. The axis `page` checks the paths of these
 * responses. The captures show that the connections of a repeat view are new.
 */
export const axis = defineAxis({
  name: "view",
  title: "whether the client loads the page with an empty cache, or again with the cache that the first view filled",
  example: "repeat",
  follows: "client",
  field: "view",
  value: oneOf(["first", "repeat"]),
  default: "first",
  label: (view) => `${view} view`,
  id: (view) => view,
  sets: (view) => (view === "repeat" ? { client: { view }, server: { caching: true } } : {}),
  needs: (view) => (view === "repeat" ? "caching" : null),
  refuses(view, { client }, { clients }) {
    if (view === "first") return null;
    const { replays, drivenBy } = clients[client] ?? {};
    if (replays) return `client ${client} has no cache; first is allowed`;
    return drivenBy ? `${drivenBy} does not report what client ${client} had in its cache; first is allowed` : null;
  },
  proves(_, all, { fromCache, cached = [] }) {
    if (!isRepeat(all))
      return verdictOf(
        fromCache || cached.length ? [`${Math.max(fromCache, cached.length)} responses from a cache`] : [],
      );
    return verdictOf([
      ...(cached.length === fromCache ? [] : [`${fromCache} responses from a cache, ${cached.length} of them named`]),
      ...(cached.length ? [] : ["nothing came from the cache"]),
      ...cached.flatMap(({ path, caching: said }) =>
        said === caching.other ? [] : [`${path} came from the cache, but its server's Cache-Control was "${said}"`],
      ),
    ]);
  },
});
