import { z } from "zod";
import { defineAxis } from "./axis.ts";
import { provesBoth } from "./direction.ts";

/** Proven by the queueing discipline that the shaper's kernel has below the rate. */
export const axis = defineAxis<"none" | "fq_codel">({
  name: "aqm",
  title: "what manages the queue: none (drop-tail), or fq_codel below a token bucket (RFC 8290)",
  example: "fq_codel",
  place: 49,
  field: "aqm",
  value: z.enum(["none", "fq_codel"]),
  default: "none",
  label: (aqm) => (aqm === "none" ? "drop-tail" : aqm),
  id: (aqm) => aqm,
  sets: (aqm) => (aqm === "none" ? {} : { link: { aqm } }),
  proves: (aqm, _, evidence) => provesBoth(evidence, "aqm", aqm === "none" ? undefined : aqm),
});
