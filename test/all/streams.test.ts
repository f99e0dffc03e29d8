/** Every server over HTTP/2 and HTTP/3, with loss: each load's streams have the bytes of its responses, and `explain` accounts for its time. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { median } from "simple-statistics";
import { loadsIn } from "../../harness/record/records.ts";
import { servers } from "../../servers/servers.ts";
import { LabCopy, runFolder } from "../lab.ts";

const link = "20x2-100ms-1%";
/** Guests have Debian 13, which lacks h2o. */
const notInGuests = "h2o";
/** The largest allowed share of unexplained load time, as a median over servers. A browser may wait for something that no packet shows. */
const mostUnknown = 0.02;
let copy: LabCopy;
/** Protocol -> the run's folder and its name. */
const runs = new Map<string, { folder: string; name: string }>();

before(async () => {
  copy = await LabCopy.make({ virtualClock: true });
  for (const protocol of ["h2", "h3"]) {
    const speaking = Object.entries(servers).flatMap(([name, one]) =>
      one.protocols.includes(protocol) && name !== notInGuests && !one.can.includes("replays") ? [name] : [],
    );
    const asked = ["--page", "A", "--protocol", protocol, "--server", speaking.join(), "--link", link];
    const made = await copy.lab("try", "--clock", "virtual", "--lanes", "1", ...asked, "--loads", "1");
    assert.equal(made.code, 0, made.stderr);
    const name = runFolder(made.stderr)!;
    runs.set(protocol, { folder: `${copy.folder}/${name}`, name });
  }
});
after(() => copy?.remove());

for (const protocol of ["h2", "h3"])
  test(`over ${protocol}, each server's streams have all bytes of the responses`, () => {
    const loads = loadsIn(runs.get(protocol)!.folder);
    assert.ok(loads.length > 2);
    for (const { condition, evidence } of loads) {
      const { flows, quicFlows = [] } = evidence!.packets;
      const streams = [...flows, ...quicFlows].flatMap((flow) => flow.streams ?? []);
      const bytes = streams.reduce((sum, one) => sum + one.bytes, 0);
      assert.equal(bytes, evidence!.receivedBytes, condition);
      assert.ok(
        streams.every(({ earlyBytes }) => earlyBytes !== undefined),
        `${condition}: a connection has no earlyBytes, so the client sent no priorities`,
      );
    }
  });

interface Explained {
  conditions: { condition: string; pageLoadMs: number; parts: Record<string, number> | null }[];
}

for (const protocol of ["h2", "h3"])
  test(`over ${protocol}, explain splits every load's time into parts; the median share of unknown time is at most 2%`, async () => {
    const { stdout, stderr } = await copy.lab("explain", runs.get(protocol)!.name, "--format", "json");
    const { conditions } = JSON.parse(stdout) as Explained;
    assert.equal(conditions.length, loadsIn(runs.get(protocol)!.folder).length, stderr);
    const shares = conditions.map(({ condition, parts, pageLoadMs }) => {
      assert.ok(parts, `${condition} has no account`);
      return parts.unknown! / pageLoadMs;
    });
    assert.ok(median(shares) <= mostUnknown, JSON.stringify(shares));
  });

test("a line of jq prints how many bytes waited because another stream lost packets: some over HTTP/2, none over HTTP/3", () => {
  const program =
    "select(.ok) | [.protocol, ([.evidence.packets | (.flows + .quicFlows)[].streams // {} | .blockedBytes // 0] | add)]";
  const printed = (protocol: string) =>
    execFileSync("jq", ["-c", program, `${runs.get(protocol)!.folder}/loads.jsonl`], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as [string, number]);
  assert.ok(printed("h2").some(([, blocked]) => blocked > 0));
  assert.ok(printed("h3").every(([, blocked]) => blocked === 0));
});
