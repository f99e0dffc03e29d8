/**
 * A lane: the process that makes loads, on the harness's host. It reads one chunk from a file, prints a JSON line for each
 * message (schema/lane-messages.ts), and ends.
 */
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import type { OpenClient } from "../../clients/client.ts";
import { clients } from "../../clients/clients.ts";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { readTopology } from "../../hosts/topology.ts";
import { openObserver } from "../../observe/observer.ts";
import { type Chunk, chunkSchema, type LaneMessage, type LoadChunk } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { quicPorts } from "../../schema/protocol.ts";
import { entryOf } from "../../schema/registries.ts";
import { readAuthorities } from "../../servers/certificates.ts";
import { calibrate } from "./calibration.ts";
import { capture } from "./capture.ts";
import { configureHosts } from "./configure-hosts.ts";
import { describeLane } from "./describe.ts";
import { learn } from "./learn.ts";
import { workOnLoads } from "./load-chunk.ts";
import { type Lab, LoadMaker } from "./make-load.ts";
import { printLine } from "./print-line.ts";

const makeScratch = () => mkdtemp(`${environment.temporary}/lane-`);

async function openClient(name: string, { registries }: Lab, scratch: string, logs?: string): Promise<OpenClient> {
  const { hosts, protocols } = registries;
  const authorities = readAuthorities(stateDirectory);
  const options = { hosts, protocols, authorities, scratch, ...(logs === undefined ? {} : { logs }) };
  const client = await entryOf(clients, "clients", name).open(options);
  client.onEnd(() => process.exit(1));
  return client;
}

async function openClients(conditions: Condition[], lab: Lab): Promise<Map<string, OpenClient>> {
  const opened = new Map<string, OpenClient>();
  for (const name of new Set(conditions.map(({ settings }) => settings.client.software)))
    opened.set(name, await openClient(name, lab, await makeScratch()));
  return opened;
}

async function* loadAll(chunk: LoadChunk, lab: Lab): AsyncGenerator<LaneMessage> {
  let opened = new Map<string, OpenClient>();
  let maker: LoadMaker | undefined;
  yield* workOnLoads(chunk, {
    async *calibrate(settings) {
      await configureHosts(settings, lab.registries.hosts, lab.clientTcp);
      const [spoken] = entryOf(lab.registries.servers, "servers", settings.server.software).protocols;
      yield* calibrate(settings.link, lab.observer, spoken);
    },
    async openMaker() {
      const conditions = chunk.loads.map(({ condition }) => condition);
      opened = await openClients(conditions, lab);
      maker = await LoadMaker.open(lab, opened, chunk.number);
      return maker;
    },
    describe: (calibrations) => describeLane(opened, chunk, calibrations, lab.topology),
  });
  if (!maker?.clientHangs) for (const client of opened.values()) await client.close();
}

async function* learnAll(conditions: Condition[], chunk: Chunk, lab: Lab): AsyncGenerator<LaneMessage> {
  const maker = await LoadMaker.open(lab, await openClients(conditions, lab), chunk.number);
  for (const condition of conditions) {
    yield await learn(maker, condition, chunk).then(
      (learnt): LaneMessage => ({ kind: "learned", learnt }),
      ({ message }: Error): LaneMessage => ({ kind: "not learned", reason: message }),
    );
    if (maker.clientHangs) return; // another lane learns the remaining conditions
  }
}

async function* captureAll(conditions: Condition[], chunk: Chunk, lab: Lab): AsyncGenerator<LaneMessage> {
  for (const condition of conditions) {
    const scratch = await makeScratch();
    const open = (logs: string) => openClient(condition.settings.client.software, lab, scratch, logs);
    const { number, timeoutMs } = chunk;
    yield { kind: "captured", captured: await capture(condition, { lab, chunk: number, timeoutMs, open, scratch }) };
  }
}

function workOn(chunk: Chunk, lab: Lab): AsyncGenerator<LaneMessage> {
  if (chunk.kind === "learn") return learnAll(chunk.conditions, chunk, lab);
  if (chunk.kind === "capture") return captureAll(chunk.conditions, chunk, lab);
  return loadAll(chunk, lab);
}

async function main(chunkFile: string): Promise<void> {
  const chunk = chunkSchema.parse(JSON.parse(readFileSync(chunkFile, "utf8")));
  const { registries } = chunk;
  const topology = readTopology();
  const clientTcp = await ClientTcp.open(topology);
  const observer = await openObserver(topology, "harness", quicPorts(registries.protocols));
  for await (const message of workOn(chunk, { topology, clientTcp, registries, observer }))
    printLine(JSON.stringify(message));
}

await main(process.argv[2] ?? "").then(
  () => process.exit(0), // captures and control sockets would keep the process alive
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
