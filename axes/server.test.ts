import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./server.axis.ts";

const proof = (servers: Record<string, string>, said: string) =>
  axis.proves(
    "mine",
    {} as ConditionValues,
    { connections: [{ host: "s1.lab", software: [said] }] } as unknown as Evidence,
    {
      servers: Object.fromEntries(Object.entries(servers).map(([name, header]) => [name, { header, protocols: [] }])),
    } as unknown as Registries,
  );

test("what calls itself by its own name is shown, and another is not it", () => {
  assert.equal(proof({ mine: "Mine", nginx: "nginx" }, "Mine/1.2"), "confirmed");
  assert.deepEqual(proof({ mine: "Mine", nginx: "nginx" }, "nginx"), {
    contradicts: ["s1.lab calls itself nginx instead of Mine"],
  });
});

test("which of two that have one name it was, is not shown", () => {
  assert.equal(proof({ mine: "nginx" }, "nginx"), "confirmed", "there is no other in the run");
  assert.deepEqual(proof({ mine: "nginx", nginx: "nginx" }, "nginx"), {
    notObservable: "nginx calls itself nginx too",
  });
});
