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

test("if a run's defaults lack an axis, the axis is not observable, because the run is older than the axis", () => {
  assert.match(judged({}), /recorded before the lab observed idle connections/);
  assert.doesNotMatch(judged({ slowStartAfterIdle: "on" }), /recorded before/);
});

test("if a run over QUIC is older than a TCP setting's axis, the setting is not observable because of QUIC, not because of the run's age", () =>
  assert.match(judged({}, { h2: { ...known.protocols.h2!, transport: "quic" } }), /QUIC's slow start after idle/));
