import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { routeCommand } from "./prepare.ts";
import { attachments, readTopology, webHosts } from "./topology.ts";

const topology = readTopology();

test("the shaper is on both networks, server1 only on one", () => {
  assert.deepEqual(
    attachments(topology, "shaper").map(({ network, address }) => [network, address]),
    [
      ["access", "198.18.0.2"],
      ["core", "198.18.1.2"],
    ],
  );
  assert.deepEqual(attachments(topology, "server1"), [
    { network: "core", address: "198.18.1.11", prefixLength: 24, mac: "02:42:c6:12:01:0b" },
  ]);
});

test("a second lab on the same machine gets its addresses from LAB_NET", () => {
  process.env.LAB_NET = "10.99";
  try {
    assert.deepEqual(attachments(readTopology(), "server1"), [
      { network: "core", address: "10.99.1.11", prefixLength: 24, mac: "02:42:0a:63:01:0b" },
    ]);
  } finally {
    delete process.env.LAB_NET;
  }
});

test("there are four web hosts, with the names that sites/html.ts uses", () =>
  assert.deepEqual(
    webHosts(topology).map(({ name }) => name),
    ["s1.lab", "s2.lab", "s3.lab", "s4.lab"],
  ));

test("with LAB_WEB_HOSTS=2, the topology keeps the agents of the shaper and of the first two web hosts", () => {
  const script = `import { agentsOf } from "./hosts/topology.ts"; console.log(agentsOf().join());`;
  const words = ["--import", "tsx", "--input-type=module", "--eval", script];
  const env = { ...process.env, LAB_WEB_HOSTS: "2" };
  assert.equal(execFileSync(process.execPath, words, { env, encoding: "utf8" }), "shaper,server1,server2\n");
});

test("a service that is started only by name, such as the report, is not a host", () => {
  assert.match(readFileSync("compose.yml", "utf8"), /^ {2}report:\n {4}profiles: /m);
  assert.deepEqual(Object.keys(topology.services), [
    "setup",
    "shaper",
    ...webHosts(topology).map(({ service }) => service),
    "harness",
  ]);
});

test("initcwnd and congestion control are set on the route to the client", () =>
  assert.equal(
    routeCommand(topology, "server2", { initcwnd: 3, congestion: "cubic" }).join(" "),
    "ip route replace 198.18.0.0/24 via 198.18.1.2 initcwnd 3 congctl cubic",
  ));

const edits: Record<string, [string, string, RegExp]> = {
  "a key that namespaces would ignore": [
    "    hostname: s1.lab",
    "    hostname: s1.lab\n    ports: [80]",
    /services\.server1: Unrecognized key: "ports"/,
  ],
  "an invalid address": ['.1.11"', '.1.999"', /server1\.networks\.core\.ipv4_address/],
  "an unknown top-level key": ["\nvolumes:\n  control", "\nsecrets: {}\nvolumes:\n  control", /unknown key "secrets"/],
};
for (const [what, [from, to, message]] of Object.entries(edits))
  test(`compose.yml is refused with ${what}`, () => {
    const folder = mkdtempSync("/tmp/topology-test-");
    try {
      const text = readFileSync("compose.yml", "utf8");
      assert.ok(text.includes(from));
      writeFileSync(`${folder}/compose.yml`, text.replace(from, to));
      assert.throws(() => readTopology(`${folder}/compose.yml`), message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
