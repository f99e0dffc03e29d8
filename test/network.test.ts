/** The physics, on the real network: every channel is what it says, and a link that is not is caught. Needs root. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Calibration } from "../harness/calibration.ts";
import { run } from "../harness/command.ts";
import type { Channel } from "../harness/model.ts";
import { netns } from "../harness/substrate/netns.ts";
import { readChannels } from "../shaper/channels.ts";

interface Case {
  channel: Channel;
  /** Commands for tc that break the link after it was set. */
  tc?: string[][];
}

async function measure(cases: Case[]): Promise<Calibration[]> {
  await netns.open();
  const output = await run(netns.commandInside("test/measure-links.ts", JSON.stringify(cases)));
  return output.trim().split("\n").map((line) => JSON.parse(line) as Calibration);
}

const channels = [...readChannels().values()];

test("every channel has the RTT, rates, loss and queues it is asked for", { timeout: 900_000 }, async (t) => {
  const calibrations = await measure(channels.map((channel) => ({ channel })));
  for (const { channel, attempt, measured, deviations } of calibrations)
    t.diagnostic(`${channel.name}, attempt ${attempt}: ${JSON.stringify(measured)} ${deviations.join("; ")}`);
  const final = calibrations.filter((calibration) => calibration.final);
  assert.equal(final.length, channels.length);
  for (const { channel, deviations } of final) assert.deepEqual(deviations, [], channel.name);
});

const device = "vec0"; // towards the client, in the user-mode kernel of a machine without netem
const broken: Record<string, { tc: string[][]; caught: RegExp }> = {
  "delay and the queue's limit in one netem": {
    tc: [["qdisc", "replace", "dev", device, "root", "handle", "9:", "netem", "delay", "50ms", "rate", "20mbit", "limit", "50"]],
    caught: /down rate|down loss/,
  },
  "loss in one direction only": {
    tc: [["qdisc", "change", "dev", device, "handle", "1:", "root", "netem", "delay", "50ms", "limit", "100000"]],
    caught: /down loss/,
  },
};

for (const [what, { tc, caught }] of Object.entries(broken))
  test(`a wrong link is caught: ${what}`, { timeout: 120_000 }, async () => {
    const channel = channels.find(({ name }) => name === (what.startsWith("loss") ? "20x2-100ms-1%" : "20x2-100ms-0%")) as Channel;
    const [calibration] = await measure([{ channel, tc }]);
    assert.match(calibration?.deviations.join("\n") ?? "", caught);
  });
