/** A lane is a process on the harness's host. It works on one chunk, prints a JSON line for each message (schema/lane-messages.ts), and ends. */
import { readFileSync } from "node:fs";
import { ClientTcp } from "../../hosts/client-tcp.ts";
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { openObserver } from "../../observe/observer.ts";
import { type Chunk, chunkSchema, type LaneMessage, type LoadChunk } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { quicPorts } from "../../schema/protocol.ts";
import { entryOf } from "../../schema/registries.ts";
import { calibrate } from "./calibration.ts";
import { capture } from "./capture.ts";
import { configureHosts } from "./configure-hosts.ts";
import { describeLane } from "./describe.ts";
import { learn } from "./learn.ts";
import { workOnLoads } from "./load-chunk.ts";
import { type Lab, LoadMaker } from "./make-load.ts";
import { makeScratch, OpenClients } from "./open-clients.ts";
import { printLine } from "./print-line.ts";

async function* loadAll(chunk: LoadChunk, lab: Lab): AsyncGenerator<LaneMessage> {
  const clients = new OpenClients(lab.registries);
  let maker: LoadMaker | undefined;
  yield* workOnLoads(chunk, {
    async *calibrate(settings) {
      await configureHosts(settings, lab.registries.hosts, lab.clientTcp);
      const [spoken] = entryOf(lab.registries.servers, "servers", settings.server.software).protocols;
      yield* calibrate(settings.link, lab.observer, spoken);
    },
    async openMaker() {
      await clients.open(chunk.loads.map(({ condition }) => condition));
      maker = await LoadMaker.open(lab, clients, chunk.number);
      return maker;
    },
    describe: (calibrations) => describeLane(clients, chunk, calibrations, lab.topology),
  });
  if (!maker?.clientHangs) await clients.close();
}

async function* learnAll(conditions: Condition[], chunk: Chunk, lab: Lab): AsyncGenerator<LaneMessage> {
  const clients = new OpenClients(lab.registries);
  await clients.open(conditions);
  const maker = await LoadMaker.open(lab, clients, chunk.number);
  for (const condition of conditions) {
    yield await learn(maker, condition, chunk).then(
      (learnt): LaneMessage => ({ kind: "learned", learnt }),
      ({ message }: Error): LaneMessage => ({ kind: "not learned", reason: message }),
    );
    if (maker.clientHangs) return; // another lane learns the requests of the remaining conditions
  }
}

async function* captureAll(conditions: Condition[], chunk: Chunk, lab: Lab): AsyncGenerator<LaneMessage> {
  for (const condition of conditions) {
    const { number, timeoutMs } = chunk;
    const scratch = await makeScratch();
    yield { kind: "captured", captured: await capture(condition, { lab, chunk: number, timeoutMs, scratch }) };
  }
}

function workOn(chunk: Chunk, lab: Lab): AsyncGenerator<LaneMessage> {
  if (chunk.kind === "learn") return learnAll(chunk.conditions, chunk, lab);
  if (chunk.kind === "capture") return captureAll(chunk.conditions, chunk, lab);
  return loadAll(chunk, lab);
}

async function main(chunkFile: string): Promise<void> {
  const chunk = chunkSchema.parse(JSON.parse(readFileSync(chunkFile, "utf8")));
  const topology = readTopology();
  // A guest has only the hosts that its loads need. A load observes all of them: an earlier load's last packets may come from any host.
  const registries = { ...chunk.registries, hosts: chunk.registries.hosts.slice(0, webHosts(topology).length) };
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
