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

test("a server is confirmed by its own server header, and contradicted by another server's header", () => {
  assert.equal(proof({ mine: "Mine", nginx: "nginx" }, "Mine/1.2"), "confirmed");
  assert.deepEqual(proof({ mine: "Mine", nginx: "nginx" }, "nginx"), {
    contradicts: ["s1.lab has the server header nginx instead of Mine"],
  });
});

test("a server is not observable if another server of the run has the same server header", () => {
  assert.equal(proof({ mine: "nginx" }, "nginx"), "confirmed", "no other server of the run has this header");
  assert.deepEqual(proof({ mine: "nginx", nginx: "nginx" }, "nginx"), {
    notObservable: "nginx has the same server header, nginx",
  });
});
