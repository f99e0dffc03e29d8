/** The physics, on the real network: every channel is what it says. Links that are not: traps.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Calibration } from "../harness/lane/calibration.ts";
import { linkTable } from "../harness/report/verification.ts";
import { run } from "../hosts/command.ts";
import type { Channel } from "../schema/model.ts";
import { readChannels } from "../shaper/channels.ts";
import { netns } from "../substrate/netns.ts";

async function measure(channels: Channel[]): Promise<Calibration[]> {
  await netns.open();
  const output = await run(netns.commandInside("test/measure-links.ts", JSON.stringify(channels)));
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Calibration);
}

const channels = [...readChannels().values()];

test("every channel has the RTT, rates, loss and queues it is asked for", { timeout: 900_000 }, async (t) => {
  const calibrations = await measure(channels);
  for (const { channel, attempt, measured, deviations } of calibrations)
    t.diagnostic(`${channel.name}, attempt ${attempt}: ${JSON.stringify(measured)} ${deviations.join("; ")}`);
  const final = calibrations.filter((calibration) => calibration.final);
  console.log(`\n${linkTable(final)}\n`);
  assert.equal(final.length, channels.length);
  for (const { channel, deviations } of final) assert.deepEqual(deviations, [], channel.name);
});
