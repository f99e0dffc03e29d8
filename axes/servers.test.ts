import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { LearntRequest, Registries } from "../schema/registries.ts";
import { learntAs } from "./expected.ts";
import { axis } from "./servers.axis.ts";

const all = { page: "mine", servers: 2, protocol: "h2", server: "nginx", client: "chromium", view: "first" };
const values = all as ConditionValues;
const addresses = ["198.18.1.11", "198.18.1.12"];

/** @param seen the hosts that answered @param ofSecond changed fields of the learnt request to the second host */
function proof(seen: string[], ofSecond: Partial<LearntRequest> = {}) {
  const requests = [1, 2].map((i) => ({ host: `s${i}.lab`, path: `/${i}`, status: 200, bytes: 1 }));
  Object.assign(requests[1]!, ofSecond);
  const registries = {
    hosts: addresses.map((address, i) => ({ service: `server${i + 1}`, name: `s${i + 1}.lab`, address })),
    protocols: { h2: { port: 4432 } },
    pages: { mine: { sha256: "", learnt: { [learntAs(values)]: requests } } },
  } as unknown as Registries;
  const connections = seen.map((host) => ({ host, address: `${addresses[Number(host[1]) - 1]}:4432` }));
  return axis.proves(2, values, { connections } as unknown as Evidence, registries);
}

test("servers=2 is contradicted if one of the two hosts that the load event waits for did not answer", () => {
  assert.equal(proof(["s1.lab", "s2.lab"]), "confirmed");
  assert.deepEqual(proof(["s1.lab"]), { contradicts: ["hosts s1.lab instead of s1.lab, s2.lab"] });
});

test("a host may be missing if the load event does not wait for its files, but no other host may be missing", () => {
  assert.equal(proof(["s1.lab"], { optional: true }), "confirmed");
  assert.equal(proof(["s1.lab", "s2.lab"], { optional: true }), "confirmed");
  assert.deepEqual(proof(["s2.lab"], { optional: true }), { contradicts: ["hosts s2.lab instead of s1.lab, s2.lab"] });
});
