import type { Link } from "../schema/link.ts";
import { defineAxis } from "./axis.ts";
import { provesBoth } from "./direction.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    aqm: "none" | NonNullable<Link["aqm"]>;
  }
}

/** Confirmed by the shaper's kernel, which reports the queueing discipline below the token bucket. */
export const axis = defineAxis({
  name: "aqm",
  shownByAnyLoad: true,
  title:
    "what manages the queue: none (drop-tail), fq_codel (RFC 8290), cake or dualpi2 (RFC 9332); the last three are below a token bucket, which limits the rate",
  example: "fq_codel",
  follows: "burst",
  field: "aqm",
  value: oneOf(["none", "fq_codel", "cake", "dualpi2"]),
  default: "none",
  label: (aqm) => (aqm === "none" ? "drop-tail" : aqm),
  id: (aqm) => aqm,
  sets: (aqm) => (aqm === "none" ? {} : { link: { aqm } }),
  proves: (aqm, _, evidence) => provesBoth(evidence, "aqm", aqm === "none" ? undefined : aqm),
});
