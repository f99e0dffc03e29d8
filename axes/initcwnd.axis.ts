import { defineAxis, hidden } from "./axis.ts";
import { usedFlows } from "./flows.ts";
import { wholeNumber } from "./values.ts";

/** Proven by the segments in flight of each connection, as its server's capture saw them (observe/initial-window.ts). */
export const axis = defineAxis<number>({
  name: "initcwnd",
  title: "the server's initial congestion window, segments",
  example: "10",
  place: 60,
  field: "initcwnd",
  value: wholeNumber(1, 1000),
  label: (segments) => `initcwnd ${segments}`,
  id: (segments) => `iw${segments}`,
  sets: (segments) => ({ route: { server: { initcwnd: segments } } }),
  proves(segments, _, evidence) {
    const windows = usedFlows(evidence.packets.flows).map(({ name, server: { initcwnd } }) => ({ name, initcwnd }));
    const problems = windows.flatMap(({ name, initcwnd }) => {
      if (!initcwnd) return [];
      const { atLeast, atMost } = initcwnd;
      if (atLeast > segments)
        return [`${name}: initcwnd at least ${atLeast} instead of ${segments}, by its first flights`];
      if (atMost !== null && atMost < segments)
        return [`${name}: initcwnd at most ${atMost} instead of ${segments}, by its first flights`];
      return [];
    });
    if (problems.length) return { contradicts: problems };
    return windows.some(({ initcwnd }) => initcwnd)
      ? "held"
      : hidden(evidence, "no connection had a clean first flight");
  },
});
