/** An extra load of a condition with everything that there is to see. It is no sample: what watches it wakes up while the page loads. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { keyLog, type OpenClient } from "../../clients/client.ts";
import { ask } from "../../hosts/control.ts";
import { giveAway } from "../../hosts/rights.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { FullCapture } from "../../observe/full-capture.ts";
import { pcapng } from "../../observe/pcapng.ts";
import type { Captured } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { type Lab, LoadMaker } from "./make-load.ts";

interface Capturing {
  lab: Lab;
  lane: number;
  timeoutMs: number;
  /** A client of this load alone. @param logs made, and its own */
  open(logs: string): Promise<OpenClient>;
  /** A folder of this load alone. */
  scratch: string;
}

/** The packets are the client's device's, for they have all connections; the keys are in the same file. */
export async function capture(
  condition: Condition,
  { lab, lane, timeoutMs, open, scratch }: Capturing,
): Promise<Captured> {
  const logs = `${scratch}/logs`;
  mkdirSync(logs);
  giveAway(logs, "browser");
  const client = await open(logs);
  const maker = await LoadMaker.open(lab, new Map([[condition.settings.client.software, client]]), lane);
  const packets = await FullCapture.open(lab.topology, "harness");
  const { hosts, protocols } = lab.registries;
  const overQuic = protocols[condition.settings.page.protocol]!.transport === "quic";
  const logging = overQuic
    ? { ...condition.settings, server: { ...condition.settings.server, logs: true as const } }
    : null;
  const asked = logging ? { ...condition, settings: logging } : condition;
  const { load } = await maker.make({ block: 1, attempt: 1, condition: asked }, timeoutMs);
  const { frames, missed } = packets.end();
  if (missed > 0) throw new Error(`${condition.id}: ${missed} frames found no room in the capture`);
  await client.close(); // its logs are whole then
  const ofServers = logging ? await Promise.all(hosts.map(({ service }) => ask(service, serverRoutes.logs))) : [];
  const keys = existsSync(`${logs}/${keyLog}`) ? readFileSync(`${logs}/${keyLog}`, "utf8") : "";
  const packed = pcapng(frames, keys).toString("base64");
  return { load, files: Object.assign({ "packets.pcapng": packed }, otherLogs(logs), ...ofServers) };
}

/** Texts of megabytes are packed; pictures are already. */
const otherLogs = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== keyLog)
      .map((name) => {
        const content = readFileSync(`${folder}/${name}`);
        const isPacked = name.endsWith(".jpg");
        return [isPacked ? name : `${name}.gz`, (isPacked ? content : gzipSync(content)).toString("base64")];
      }),
  );
