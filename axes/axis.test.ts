/** Tests verdicts that are the same for every axis: on runs that are older than the axis, and on loads over QUIC. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { good, registries as known } from "../harness/judge/load/sample-load.fixture.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { judgeAxis } from "./axis.ts";
import { axes } from "./registry.ts";

const axis = axes.find(({ name }) => name === "slowStartAfterIdle")!;
const all = { protocol: "h2", slowStartAfterIdle: "on", initcwnd: 10, congestion: "cubic" } as ConditionValues;
const judged = (defaults: Registries["defaults"], protocols = known.protocols) =>
  JSON.stringify(judgeAxis(axis, all, good, { ...known, protocols, defaults }));

test("an axis that a run's defaults lack is not observable, because the run was made before the lab had this axis", () => {
  assert.match(judged({}), /recorded before the lab observed idle connections/);
  assert.doesNotMatch(judged({ slowStartAfterIdle: "on" }), /recorded before/);
});

test("over QUIC a TCP setting is not observable, even in a run that was made before the lab had the setting's axis", () =>
  assert.match(judged({}, { h2: { ...known.protocols.h2!, transport: "quic" } }), /QUIC's slow start after idle/));
