/** Evidence of TLS handshakes: sessions, keys and certificates. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf } from "../../plan/conditions.ts";
import { keyShareProblems } from "./key-share.ts";
import { asked, connections, flow, flows, good, judge, registries, withFlows } from "./sample-load.fixture.ts";

test("if resumption is configured, at least one connection to each host must resume a session, and with TLS 1.2 all connections", () => {
  const hello = (version: "1.2" | "1.3", resumed: boolean) => ({
    tls: resumed ? ("resumed" as const) : ("full" as const),
    hello: { version, group: version === "1.2" ? null : 0x001d, resumed, retry: false },
  });
  const held = (version: "1.2" | "1.3", ...resumed: boolean[]) =>
    judge(
      {
        ...withFlows(
          flow("s1.lab", hello(version, true)),
          ...resumed.map((is, i) => ({ ...flow("s2.lab", hello(version, is)), clientPort: 40001 + i })),
        ),
        connections: connections.map((one) => ({ ...one, tls: { version: `TLS ${version}`, group: "X25519" } })),
      },
      { handshake: "resumed", tls: version },
    )
      .contradictions.filter((problem) => problem.includes("resumed a TLS session"))
      .join("; ");
  assert.deepEqual([held("1.3", true, false), held("1.2", true, true)], ["", ""]);
  assert.match(held("1.3", false, false), /0 of 2 connections to s2\.lab resumed a TLS session; at least 1 expected/);
  assert.match(held("1.2", true, false), /1 of 2 connections to s2\.lab resumed a TLS session; at least 2 expected/);
});

test("if a server requests another key, handshakes of less than three round trips are a contradiction", () => {
  const hello = { version: "1.3" as const, group: 0x0017, resumed: false, retry: true };
  const asked = flows.map(({ host }) => flow(host, { hello }));
  const { contradictions } = judge(withFlows(...asked), { keyExchange: "secp256r1" });
  assert.match(
    contradictions.join("\n"),
    /the first request came 205 ms after the first packet; its handshakes take at least 300/,
  );
  assert.match(
    contradictions.join("\n"),
    /from connectStart \(2 ms\) to connectEnd \(205 ms\) it takes at least 300 ms/,
  );
});

test("the certificates of TLS 1.2, which are not encrypted, must have the length of the configured chain", () => {
  const hello = { version: "1.2" as const, group: null, resumed: false, retry: false };
  const judged = (certificateBytes: number, handshakeBytes: number) => {
    const seen = flows.map(({ host }) => flow(host, { hello: { ...hello, certificateBytes }, handshakeBytes }));
    return judge(withFlows(...seen), { tls: "1.2", certificates: "rsa3" }).contradictions.join("\n");
  };
  assert.doesNotMatch(judged(3490, 3950), /certificates|a handshake/);
  assert.match(judged(629, 3950), /certificates of 629 bytes; rsa3 has 3490 to 3490/);
  assert.match(judged(3490, 1100), /a handshake of 1100 bytes; rsa3 has 3631 to 4331/);
});

test("a HelloRetryRequest is expected if and only if the client sends no key for the configured group", () => {
  const problems = (keyExchange: string, retry: boolean) => {
    const hello = { version: "1.3" as const, group: 0x0017, resumed: false, retry };
    const evidence = { ...good, ...withFlows(...flows.map(({ host }) => flow(host, { hello }))) };
    return keyShareProblems(evidence, conditionOf({ ...asked, keyExchange }, registries), registries).join();
  };
  assert.deepEqual([problems("x25519", false), problems("secp256r1", true)], ["", ""]);
  assert.match(problems("x25519", true), /2 ServerHellos requested another key; in TLS 1\.3 with x25519 none does/);
  assert.match(
    problems("secp256r1", false),
    /2 ServerHellos requested no other key; in TLS 1\.3 with secp256r1 each does/,
  );
});
