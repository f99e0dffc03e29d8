import { sha256 } from "../../../schema/sha256.ts";
import { defaultProcessingMs } from "../../../substrate/choose.ts";
import type { GuestSubstrate } from "../../../substrate/guest/guest.ts";
import type { Substrate } from "../../../substrate/substrate.ts";
import { mostManifestBytes, readBytes } from "../../record/run-files.ts";
import type { Lifetime } from "../lifetime.ts";
import type { Workers } from "../request.ts";
import type { OpenedRun } from "../resume.ts";
import type { Lanes } from "../run-events.ts";
import { connectQueue, versionDifferences } from "./queue.ts";
import { queueAddress } from "./queue-address.ts";
import { RemoteLanes } from "./remote-lanes.ts";
import { sendPages } from "./sent-pages.ts";
import { leaveNote, readNotes } from "./worker-list.ts";

/** How many chunks are in the queue at once. This is more than the number of workers' lanes, but few enough for the queue's memory. */
export const chunksAtOnce = 1024;

interface RunOfWorkers {
  substrate: Substrate;
  run: OpenedRun;
  print(text: string): void;
}

export async function openRemoteLanes(
  { address, auditedShare }: Workers,
  { substrate, run, print }: RunOfWorkers,
  { onEnd }: Lifetime,
): Promise<Lanes> {
  const { folder, manifest } = run;
  if (!isGuest(substrate) || substrate.lanes.links !== "hold") throw new Error("workers make chunks only in guests");
  const redis = await connectQueue(queueAddress(address), print);
  onEnd(() => redis.disconnect());
  await sendPages(redis, manifest.registries.pages);
  const versions = substrate.versions();
  const note = { name: folder, since: new Date().toISOString(), versions, lanes: 0, loads: 0 };
  onEnd(await leaveNote(redis, "run", () => note));
  const { seed, processingMs = defaultProcessingMs } = manifest;
  const id = sha256(readBytes(`${folder}/run.json`, mostManifestBytes)).slice(0, 12);
  const sendAgain = () => sendPages(redis, manifest.registries.pages);
  const lanes = new RemoteLanes({ redis, run: id, versions, seed, processingMs, auditedShare, print, sendAgain });
  onEnd(() => void lanes.close().catch(() => {}));
  const workers = await readNotes(redis, "worker");
  if (!workers.some((one) => versionDifferences(versions, one.versions).length === 0))
    print(`No running worker has this run's versions yet; start one with: ./lab worker ADDRESS`); // the address itself may have a password
  return { start: lanes.start, policy: { ...substrate.lanes, atOnce: chunksAtOnce } };
}

const isGuest = (substrate: Substrate): substrate is GuestSubstrate => "versions" in substrate;
