/**
 * Ways to break the lab that silently ruin results. Each breaks a lab of its own, on the harness's host, after the lab
 * was brought to a condition and before its load. The first breaks nothing, or all others would show nothing.
 */
import { connectionTraps } from "./connections.ts";
import { linkTraps } from "./link.ts";
import { quicTraps } from "./quic.ts";
import type { Trap } from "./trap.ts";

export const traps: Record<string, Trap> = {
  none: { what: "nothing: a lab that is well", caughtBy: "nothing", message: /^$/, spring: async () => {} },
  ...linkTraps,
  ...connectionTraps,
  ...quicTraps,
  cpuHog: {
    what: "a CPU hog beside the browser",
    caughtBy: "evidence",
    message: /other programs took \d\.\d+ cores from the load/,
    spring: async () => {}, // traps.test.ts runs it, outside the lab
  },
};
