import { longestIdle } from "../metrics/after-idle.metric.ts";
import { isImported } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { quantity } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    idle: number;
  }
}

/** Stands for the pause between two pages of a visit. Confirmed by the times at which the client sent its requests. */
export const axis = defineAxis({
  name: "idle",
  title:
    "how long connections are idle: the client requests every second object of the page only this long after all others have arrived",
  example: "5000ms",
  follows: "connections",
  field: "idleMs",
  value: quantity("idleMs"),
  default: 0,
  unknownBefore: "the lab had idle times",
  text: (ms) => `${ms}ms`,
  label: (ms) => `idle for ${ms} ms`,
  id: (ms) => `idle${ms}ms`,
  sets: (ms) => (ms === 0 ? {} : { client: { idleMs: ms } }),
  refuses(ms, { client, page, connections }, { clients, pages }) {
    if (ms === 0) return null;
    if (!clients[client]?.replays)
      return `client ${client} requests each object as soon as it can; 0ms is allowed, or any time with client replay`;
    if (connections === "each" || connections === "in-turn")
      return "no connection is reused if each request has its own; 0ms is allowed";
    const entry = pages[page];
    return entry && !isImported(entry) && Object.keys(entry.objects).length < 2
      ? `page ${page} has fewer than two objects, so none is requested later; 0ms is allowed`
      : null;
  },
  proves(ms, { client }, { connections }, { clients }) {
    if (!clients[client]?.replays) return { notObservable: "a browser requests each object as soon as it can" };
    const { idleMs } = longestIdle(connections);
    return verdictOf(
      idleMs >= ms - tolerance.timerMs && idleMs <= ms + tolerance.browserMs
        ? []
        : [`the client sent no request for ${idleMs.toFixed(1)} ms after a response; ${ms} ms is configured`],
    );
  },
});
