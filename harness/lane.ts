/**
 * A lane: the one thing that makes loads. It is given a list of them in a file, brings the lab to each condition, loads,
 * prints one JSON line a load, and ends. Its first line says what it runs on. Runs on the harness's host.
 */
import { readFileSync, writeSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import type { Browser } from "puppeteer-core";
import { expectedRequests, listPages, loadPage, pagePath, totalBytes, type Page } from "../pages/pages.ts";
import type { ServerSettings } from "../servers/agent.ts";
import { caFingerprint } from "../servers/certificates.ts";
import { readProtocols } from "../servers/protocols.ts";
import { browserProgram, startBrowser } from "./browser.ts";
import { calibrate } from "./calibration.ts";
import type { Chunk, LaneMessage } from "./chunk.ts";
import { callHost, stateDirectory } from "./control.ts";
import { describeEnvironment } from "./environment.ts";
import { contradictions } from "./evidence.ts";
import { prepareClient } from "./host.ts";
import { coldLoad, LoadFailure } from "./load.ts";
import { flatten, type Condition, type LoadRecord, type PlannedLoad } from "./model.ts";
import type { DirectionCounters } from "../shaper/link.ts";
import { readTopology, webHosts } from "./topology.ts";

const topology = readTopology();
const hosts = webHosts(topology);
const protocols = readProtocols();
const pages = new Map(listPages().map((name) => [name, loadPage(name)]));

/** Whole lines, at once: the runner must never see half a record. */
const print = (message: LaneMessage) => void writeSync(1, `${JSON.stringify(message)}\n`);

async function bringTo({ channel, server, initcwnd, congestion }: Condition): Promise<void> {
  const settings: ServerSettings = { server, initcwnd, congestion };
  await Promise.all([
    callHost("shaper", "PUT", "/link", channel),
    ...hosts.map(({ service }) => callHost(service, "PUT", "/server", settings)),
  ]);
}

/** One load, as its line: whatever goes wrong with it becomes its reason. */
async function makeLoad(browser: Browser, { block, attempt, condition }: PlannedLoad, timeoutMs: number): Promise<LoadRecord> {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const common = () => ({ ...flatten(condition), block, attempt, startedAt, wallMs: Math.round(performance.now() - start) });
  try {
    await bringTo(condition);
    const { pageLoadMs, evidence: seen } = await coldLoad(browser, urlOf(condition), timeoutMs);
    const { down, up } = await callHost<Record<"down" | "up", DirectionCounters>>("shaper", "GET", "/link");
    const evidence = { ...seen, link: { down, up } };
    const problems = contradictions(pageLoadMs, evidence, expectationOf(condition));
    if (problems.length) throw new LoadFailure(`evidence: ${problems.join("; ")}`, evidence);
    return { ...common(), ok: true, pageLoadMs, evidence };
  } catch (error) {
    const evidence = error instanceof LoadFailure ? { evidence: error.evidence } : {};
    return { ...common(), ok: false, reason: (error as Error).message, ...evidence };
  }
}

function urlOf({ page, servers, protocol }: Condition): string {
  return `https://${hosts[0]?.name}:${protocols.get(protocol)?.port}${pagePath(pages.get(page) as Page, servers, protocol)}`;
}

function expectationOf({ page: name, servers, protocol, channel }: Condition) {
  const page = pages.get(name) as Page;
  return {
    floorMs: 3 * channel.rttMs + (totalBytes(page) * 8) / (channel.downMbps * 1000),
    requests: expectedRequests(page),
    hosts: hosts.slice(0, servers).map((host) => host.name),
    alpn: protocols.get(protocol)?.alpn ?? "",
    connectionsPerHost: protocols.get(protocol)?.connections ?? 0,
    bodyBytes: totalBytes(page),
  };
}

/** The first load of a browser is slower than all others: it is made, and not a sample. */
async function warmUp(browser: Browser, chunk: Chunk): Promise<void> {
  const first = chunk.loads[0];
  if (first) await makeLoad(browser, { ...first, condition: { ...first.condition, channel: { ...first.condition.channel, lossPercent: 0 } } }, chunk.timeoutMs);
}

async function calibrateChannels({ calibrate: channels, loads }: Chunk): Promise<void> {
  const first = loads[0]?.condition;
  if (!first) return;
  for (const channel of channels) {
    await bringTo({ ...first, channel });
    for await (const calibration of calibrate(channel)) print({ calibration });
  }
}

async function main(chunkFile: string): Promise<void> {
  const chunk = JSON.parse(readFileSync(chunkFile, "utf8")) as Chunk;
  await prepareClient(topology);
  await calibrateChannels(chunk);
  const scratch = await mkdtemp(`${process.env.LAB_TMPDIR ?? "/tmp"}/lane-`);
  const browser = await startBrowser({
    program: browserProgram,
    hosts: new Map(hosts.map(({ name, address }) => [name, address])),
    caFingerprint: caFingerprint(stateDirectory),
    scratch,
  });
  browser.on("disconnected", () => process.exit(1));
  await warmUp(browser, chunk);
  print({ environment: await describeEnvironment(browser, chunk) });
  for (const load of chunk.loads) print({ load: await makeLoad(browser, load, chunk.timeoutMs) });
  browser.removeAllListeners("disconnected");
  await browser.close();
}

await main(process.argv[2] ?? "").catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
