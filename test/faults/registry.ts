/**
 * Ways to break the lab that silently ruin results. Each is applied on the harness's host, after the lab was brought to a
 * condition and before its load. The first breaks nothing: if it were caught too, the others would show nothing.
 */
import { connectionFaults } from "./connections.ts";
import type { Fault } from "./fault.ts";
import { linkFaults } from "./link.ts";
import { quicFaults } from "./quic.ts";

export const faults: Record<string, Fault> = {
  none: { what: "nothing: a lab that is well", caughtBy: "nothing", message: /^$/, apply: async () => {} },
  ...linkFaults,
  ...connectionFaults,
  ...quicFaults,
  cpuHog: {
    what: "a CPU hog beside the browser",
    lasts: true,
    caughtBy: "evidence",
    message: /other programs took \d\.\d+ cores from the load/,
    apply: async () => {}, // it runs outside of the lab: catch.ts
  },
};

/** Those that differ most, one for each thing that catches faults: run by each `./lab test`. */
export const usualFaults = ["none", "oneNetem", "aroundTheShaper", "initcwndNotApplied", "earlyData", "cpuHog"];
