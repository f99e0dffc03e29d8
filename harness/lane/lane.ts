/**
 * A lane: the one thing that makes loads. It is given a chunk in a file, measures links, brings the lab to each
 * condition, loads, prints a JSON line for each (LaneMessage), and ends. Runs on the harness's host.
 */
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import type { OpenClient } from "../../clients/client.ts";
import { clients } from "../../clients/registry.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { readTopology } from "../../hosts/topology.ts";
import { openObserver } from "../../observe/observer.ts";
import { type Chunk, type Condition, chunkSchema } from "../../schema/plan.ts";
import { quicPorts } from "../../schema/protocol.ts";
import type { LaneMessage } from "../../schema/records.ts";
import { readAuthorities } from "../../servers/certificates.ts";
import { bringAbout } from "./bring-about.ts";
import { calibrate } from "./calibration.ts";
import { capture } from "./capture.ts";
import { describeLane } from "./describe.ts";
import { learn } from "./learn.ts";
import { type Lab, LoadMaker } from "./make-load.ts";
import { printLine } from "./print-line.ts";

const print = (message: LaneMessage) => printLine(JSON.stringify(message));

/** @returns link -> the calibration that vouches for it from now on */
async function calibrateLinks(
  { number, calibrate: conditions, calibrations }: Chunk,
  lab: Lab,
): Promise<Record<string, string>> {
  const vouching = { ...calibrations };
  let count = 0;
  for (const { settings } of conditions) {
    await bringAbout(settings, lab.registries.hosts, lab.clientTcp);
    const [spoken] = lab.registries.servers[settings.server.software]!.protocols;
    for await (const measured of calibrate(settings.link, lab.observer, spoken)) {
      const calibration = { calibration: `${number}.${count++}`, ...measured };
      if (calibration.final) vouching[calibration.link] = calibration.calibration;
      print({ calibration });
    }
  }
  return vouching;
}

async function openClient(
  name: string,
  { registries: { hosts, protocols } }: Chunk,
  scratch: string,
  logs?: string,
): Promise<OpenClient> {
  const authorities = readAuthorities(stateDirectory);
  const options = { hosts, protocols, authorities, scratch, ...(logs === undefined ? {} : { logs }) };
  const client = await clients[name]!.open(options);
  client.onEnd(() => process.exit(1));
  return client;
}

const makeScratch = () => mkdtemp(`${environment.temporary}/lane-`);

async function openClients(chunk: Chunk): Promise<Map<string, OpenClient>> {
  const { loads, learn = [] } = chunk;
  const opened = new Map<string, OpenClient>();
  for (const name of new Set(
    [...loads.map(({ condition }) => condition), ...learn].map(({ settings }) => settings.client.software),
  ))
    opened.set(name, await openClient(name, chunk, await makeScratch()));
  return opened;
}

async function captureAll(conditions: readonly Condition[], chunk: Chunk, lab: Lab): Promise<void> {
  for (const condition of conditions) {
    const scratch = await makeScratch();
    const open = (logs: string) => openClient(condition.settings.client.software, chunk, scratch, logs);
    const { number: lane, timeoutMs } = chunk;
    print({ captured: await capture(condition, { lab, lane, timeoutMs, open, scratch }) });
  }
}

/** The first load of a client is slower than all others: it is made, without loss, and not a sample. */
async function warmUp(maker: LoadMaker, { loads, timeoutMs }: Chunk): Promise<void> {
  const [first] = loads;
  if (!first) return;
  const { settings } = first.condition;
  const calm = { ...settings, link: { ...settings.link, lossPercent: 0 } };
  await maker.make({ ...first, condition: { ...first.condition, settings: calm } }, timeoutMs);
}

async function main(chunkFile: string): Promise<void> {
  const chunk = chunkSchema.parse(JSON.parse(readFileSync(chunkFile, "utf8")));
  const topology = readTopology();
  const clientTcp = await ClientTcp.open(topology);
  const lab = {
    topology,
    clientTcp,
    registries: chunk.registries,
    observer: await openObserver(topology, "harness", quicPorts(chunk.registries.protocols)),
  };
  if (chunk.learn) {
    const maker = await LoadMaker.open(lab, await openClients(chunk), chunk.number);
    for (const condition of chunk.learn)
      print(
        await learn(maker, condition, chunk.timeoutMs).then(
          (learnt) => ({ learnt }),
          ({ message }: Error) => ({ notLearnt: message }),
        ),
      );
    return process.exit(0);
  }
  if (chunk.capture) {
    await captureAll(chunk.capture, chunk, lab);
    return process.exit(0);
  }
  const calibrations = await calibrateLinks(chunk, lab);
  if (chunk.loads.length === 0) {
    print({ lane: await describeLane(new Map(), chunk, calibrations, topology) });
    return process.exit(0); // captures and control sockets would keep it
  }
  const opened = await openClients(chunk);
  const maker = await LoadMaker.open(lab, opened, chunk.number);
  print({ lane: await describeLane(opened, chunk, calibrations, topology) }); // from here on, what breaks the lane is a load
  await warmUp(maker, chunk);
  for (const load of chunk.loads) {
    print(await maker.make(load, chunk.timeoutMs));
    if (maker.clientHangs) process.exit(0); // the next lane goes on with another
  }
  for (const client of opened.values()) await client.close();
}

await main(process.argv[2] ?? "").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
