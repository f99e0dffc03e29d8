import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence, FlowEvidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { axis } from "./certificates.axis.ts";

const registries = { protocols: { h2: { scheme: "https", transport: "tcp" } } } as unknown as Registries;
const flow = (tls: "full" | "resumed", handshakeBytes: number) =>
  ({
    host: "s1.lab",
    clientPort: 40000,
    server: { tls, handshakeBytes, hello: null, sentSegments: 9 },
  }) as unknown as FlowEvidence;
const proof = (...flows: FlowEvidence[]) =>
  axis.proves(
    "ec2",
    { protocol: "h2" } as ConditionValues,
    { packets: { flows }, connections: flows } as unknown as Evidence,
    registries,
  );

test("certificates are not observable if all sessions are resumed, and are confirmed by a full handshake beside a resumed one", () => {
  assert.deepEqual(Object.keys(proof(flow("resumed", 238))), ["notObservable"]);
  assert.equal(proof(flow("resumed", 238), flow("full", 1021)), "confirmed");
});

test("certificates are contradicted by a full handshake that is as short as a resumed one", () =>
  assert.match(JSON.stringify(proof(flow("full", 238))), /a handshake of 238 bytes; ec2 has 768 to 1476/));
