import { directions } from "../schema/link.ts";
import { meanMbps } from "../schema/rate-trace.ts";
import { entryOf } from "../schema/registries.ts";
import { defineAxis } from "./axis.ts";
import { allOf } from "./direction.ts";
import { noTrace, traceNamed } from "./link-values.ts";
import { provesNoTrace, provesTracedRate } from "./traced-rate.ts";
import { name } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    trace: string;
  }
}

/** A link's name sets the trace, and sets `down` and `up` to its averages. All loads of a block begin at one place of it (harness/plan/seeded.ts). */
export const axis = defineAxis({
  name: "trace",
  shownByAnyLoad: true,
  title: "how the link's rates vary: none (not at all), or the name of a trace in shaper/rate-traces/",
  example: "LTE-evening",
  follows: "aqm",
  field: "rateTrace",
  value: name,
  default: noTrace,
  known: ({ traces = {} }) => [noTrace, ...Object.keys(traces)],
  label: (trace) => (trace === noTrace ? "constant rates" : `rates of ${trace}`),
  sets: (trace, registries) => (trace === noTrace ? {} : { link: { trace: traceNamed(trace, registries) } }),
  refuses(trace, all, { traces = {} }) {
    if (trace === noTrace) return null;
    const steps = entryOf(traces, "traces", trace);
    const [down, up] = [meanMbps(steps.down), meanMbps(steps.up)];
    return all.down === down && all.up === up
      ? null
      : `down and up must be the trace's averages, ${down} and ${up} Mb/s: give --link ${trace}, or rate ${down}/${up}`;
  },
  proves(trace, _, evidence, { traces = {} }) {
    if (trace === noTrace) return provesNoTrace(evidence);
    if (!evidence.link.trace) return { contradicts: ["the link's rate did not follow a trace"] };
    const steps = entryOf(traces, "traces", trace);
    return allOf(...directions.map((direction) => provesTracedRate(direction, evidence, steps[direction])));
  },
});
