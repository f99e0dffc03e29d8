/** Makes an extra load of a condition, and keeps everything about it. The load is not used as a sample, because recording it uses the processor. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { keyLog } from "../../clients/client.ts";
import { ask } from "../../hosts/control.ts";
import { makeOwner } from "../../hosts/rights.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { FullCapture } from "../../observe/full-capture.ts";
import { pcapng } from "../../observe/pcapng.ts";
import type { Captured } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { type Lab, LoadMaker } from "./make-load.ts";
import { OpenClients } from "./open-clients.ts";
import { isOverQuic } from "./visit.ts";

interface Capturing {
  lab: Lab;
  chunk: number;
  timeoutMs: number;
  /** A folder for this load alone. */
  scratch: string;
}

/** Captures packets at the client's network device, which all connections use. The file of packets also has the connections' TLS keys. */
export async function capture(condition: Condition, { lab, chunk, timeoutMs, scratch }: Capturing): Promise<Captured> {
  const logs = `${scratch}/logs`;
  mkdirSync(logs);
  makeOwner(logs, "browser");
  const clients = new OpenClients(lab.registries);
  await clients.open([condition], { scratch, logs });
  const maker = await LoadMaker.open(lab, clients, chunk);
  const packets = await FullCapture.open(lab.topology, "harness");
  const { settings } = condition;
  const logging = isOverQuic(settings, lab.registries);
  const asked = logging
    ? { ...condition, settings: { ...settings, server: { ...settings.server, logs: true as const } } }
    : condition;
  const { load } = await maker.make({ block: 1, attempt: 1, condition: asked }, timeoutMs);
  await maker.close();
  const { frames, missed } = packets.end();
  if (missed > 0) throw new Error(`${condition.id}: the capture had no room for ${missed} frames`);
  await clients.close(); // the client's logs are complete only after this
  const ofServers = logging
    ? await Promise.all(lab.registries.hosts.map(({ service }) => ask(service, serverRoutes.logs)))
    : [];
  const keys = existsSync(`${logs}/${keyLog}`) ? readFileSync(`${logs}/${keyLog}`, "utf8") : "";
  const packed = pcapng(frames, keys).toString("base64");
  return { load, files: Object.assign({ "packets.pcapng": packed }, otherLogs(logs), ...ofServers) };
}

/** Logs are megabytes of text, so they are compressed with gzip; JPEG pictures are compressed already. */
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
