/** What is judged alike for every axis: runs that are older than it, and loads over QUIC. */
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

test("a run without a default for the axis is older than it, and shows nothing of it", () => {
  assert.match(judged({}), /recorded before the lab observed idle connections/);
  assert.doesNotMatch(judged({ slowStartAfterIdle: "on" }), /recorded before/);
});

test("over QUIC nothing shows a setting of TCP, whenever it was recorded", () =>
  assert.match(judged({}, { h2: { ...known.protocols.h2!, transport: "quic" } }), /QUIC's slow start after idle/));
