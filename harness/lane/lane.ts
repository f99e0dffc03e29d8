/**
 * A lane: the one thing that makes loads. It is given a list of them in a file, brings the lab to each condition, loads,
 * prints what the links are, what it runs on, then one JSON line a load, and ends. Runs on the harness's host.
 */
import { readFileSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { browserProgram, startBrowser } from "../../clients/chromium/browser.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { prepareClient } from "../../hosts/prepare.ts";
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { type Observer, openObserver } from "../../observe/observer.ts";
import { caFingerprint } from "../../servers/certificates.ts";
import { readRegistries } from "../plan/registries.ts";
import { bringTo } from "./bring-to.ts";
import { calibrate } from "./calibration.ts";
import type { Chunk, LaneMessage } from "./chunk.ts";
import { describeEnvironment } from "./environment.ts";
import { LoadMaker } from "./make-load.ts";

const topology = readTopology();

/** Whole lines, at once: the runner must never see half a record. */
const print = (message: LaneMessage) => void writeSync(1, `${JSON.stringify(message)}\n`);

/** The first load of a browser is slower than all others: it is made, and not a sample. */
async function warmUp(maker: LoadMaker, chunk: Chunk): Promise<void> {
  const first = chunk.loads[0];
  if (first)
    await maker.make(
      { ...first, condition: { ...first.condition, channel: { ...first.condition.channel, lossPercent: 0 } } },
      chunk.timeoutMs,
    );
}

async function calibrateChannels({ calibrate: conditions }: Chunk, observer: Observer): Promise<void> {
  for (const condition of conditions) {
    await bringTo(condition, webHosts(topology));
    for await (const calibration of calibrate(condition.channel, observer)) print({ calibration });
  }
}

async function main(chunkFile: string): Promise<void> {
  const chunk = JSON.parse(readFileSync(chunkFile, "utf8")) as Chunk;
  await prepareClient(topology);
  const observer = await openObserver(topology, "harness");
  await calibrateChannels(chunk, observer);
  if (chunk.loads.length === 0) return process.exit(0); // captures and control sockets would keep it
  const scratch = await mkdtemp(`${process.env.LAB_TMPDIR ?? "/tmp"}/lane-`);
  const conditions = chunk.loads.map(({ condition }) => condition);
  const registries = readRegistries({
    page: conditions.map(({ page }) => page),
    protocol: conditions.map(({ protocol }) => protocol),
    channel: [], // they come with the loads
  });
  const browser = await startBrowser({
    program: browserProgram,
    hosts: new Map(registries.hosts.map(({ name, address }) => [name, address])),
    caFingerprint: caFingerprint(stateDirectory),
    scratch,
  });
  browser.on("disconnected", () => process.exit(1));
  const maker = await LoadMaker.open(browser, registries, topology, observer);
  await warmUp(maker, chunk);
  print({ environment: await describeEnvironment(browser, chunk) });
  for (const load of chunk.loads) {
    print({ load: await maker.make(load, chunk.timeoutMs) });
    if (maker.browserHangs) process.exit(0); // the next lane goes on with another
  }
  browser.removeAllListeners("disconnected");
  await browser.close();
}

await main(process.argv[2] ?? "").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
