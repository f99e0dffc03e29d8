/** Learns which requests an imported page makes, from a load without loss. */
import { readFile } from "node:fs/promises";
import { encodingOf, learntAs } from "../../axes/expected.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { environment } from "../../hosts/environment.ts";
import { mostFrames } from "../../observe/packet-capture.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import { recordedOf } from "../../schema/recorded-names.ts";
import { entryOf, isImported, type Registries } from "../../schema/registries.ts";
import { inBrief } from "../../schema/words.ts";
import { startsAsPicture } from "../../sites/imported/picture-signature.ts";
import { importedFile, importedRoot, variantName } from "../../sites/paths.ts";
import { type ReplayFile, replayFile } from "../../sites/recorded/replay-file.ts";
import { builtSizes } from "../../sites/site.ts";
import { judgeLoad } from "../judge/load/load.ts";
import { fileBodies, labDomain, notFoundIn, recordedBodies, requestsOf } from "./learnt-requests.ts";
import { withoutLoss } from "./load-chunk.ts";
import type { LoadMaker } from "./make-load.ts";

type Given = { timeoutMs: number; registries: Registries; looksAtWindow?: boolean | undefined };

/** The most loads of a page that are made until one is valid. */
const most = 3;

/** On the virtual clock, the load must be valid: all loads of a run would have its faults. @throws Error that names a page without such a load */
export async function learn(maker: LoadMaker, condition: Condition, given: Given): Promise<Learnt> {
  for (let load = 1; ; load++) {
    const { learnt, evidence } = await learnOnce(maker, condition, given);
    const hosts = new Set(learnt.requests.map(({ host }) => host)).size;
    // If files are missing, or requested from fewer hosts than the condition has, the runner reports what to do.
    if (hosts < condition.settings.page.hosts || learnt.notFound.length > 0) return learnt;
    const faults = environment.virtualClock ? faultsIn(evidence, learnt, condition, given.registries) : [];
    if (faults.length === 0) return learnt;
    if (load === most) throw new Error(`page ${learnt.page} has no valid load: ${inBrief(faults)}`);
  }
}

/** Returns how a load contradicts its condition and the learnt requests; nothing if the condition has loss, because the load was made without. */
export function faultsIn(
  evidence: Evidence,
  { page, as, requests }: Pick<Learnt, "page" | "as" | "requests">,
  condition: Condition,
  registries: Registries,
): string[] {
  const entry = entryOf(registries.pages, "pages", page);
  const pageLoadMs = evidence.timing.loadEventStart;
  if (condition.settings.link.lossPercent > 0 || !isImported(entry) || pageLoadMs === undefined) return [];
  const pages = { ...registries.pages, [page]: { ...entry, learnt: { [as]: requests } } };
  return judgeLoad(pageLoadMs, evidence, condition, { ...registries, pages }).contradictions;
}

async function learnOnce(
  maker: LoadMaker,
  { settings, values }: Condition,
  { timeoutMs, registries, looksAtWindow = false }: Given,
): Promise<{ learnt: Learnt; evidence: Evidence }> {
  const { name, hosts, protocol } = settings.page;
  const page = `page ${name}`;
  const failed = ({ message }: Error): never => {
    throw new Error(`${page} did not load: ${message}`);
  };
  const asked = withoutLoss(settings);
  const { failure, evidence, window } = await maker.load(asked, timeoutMs, { looksAtWindow }).catch(failed);
  if (failure) failed(new Error(failure.reason));
  const { missedFrames } = evidence.packets;
  if (missedFrames > 0)
    throw new Error(
      `${page} is too large to be checked: a capture has room for about ${mostFrames} frames, and the page's load had ${missedFrames} more; remove large files`,
    );
  const site = `${stateDirectory}/site/${importedRoot}/${name}`;
  const built = await builtSizes(site);
  const variant = variantName(hosts, protocol);
  const isRecorded = recordedOf(name, registries) !== undefined;
  const bodyOf = isRecorded
    ? recordedBodies(JSON.parse(await readFile(`${site}/${variant}/${replayFile}`, "utf8")) as ReplayFile)
    : fileBodies((file) => built[`${variant}/${file}`], encodingOf(values, registries));
  const requests = requestsOf(evidence, bodyOf);
  const broken = requests.find(
    ({ path, stopped, optional }) =>
      stopped && !optional && !isRecorded && !startsAsPicture(`${site}/${variant}/${importedFile(path)}`),
  );
  if (broken)
    failed(
      new Error(
        `${broken.path} is not a picture: the browser stops reading it before its end, so loads cannot show how long the whole file takes`,
      ),
    );
  const unanswered = (evidence.unanswered ?? []).map(({ url }) => new URL(url));
  const outside = unanswered.map(({ hostname }) => hostname).filter((host) => !host.endsWith(labDomain));
  const learnt = {
    page: name,
    as: learntAs(values),
    requests,
    outside: [...new Set(outside)],
    dialogs: evidence.dialogs ?? [],
    notFound: notFoundIn(evidence, (file) => built[`${variant}/${file}`] !== undefined),
    ...(window && { window }),
  };
  return { learnt, evidence };
}
