/** Learns what an imported page requests, by a load without loss. */
import { encodingOf, learntAs } from "../../axes/expected.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { ringFrames } from "../../observe/packet-capture.ts";
import { startsAsPicture } from "../../pages/imported/picture-signature.ts";
import { importedFile, importedRoot, startFile, variantName } from "../../pages/paths.ts";
import { builtSizes } from "../../pages/site.ts";
import { copyEndings, type Encoding } from "../../schema/compression.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import type { LearntRequest, Registries } from "../../schema/registries.ts";
import { withoutLoss } from "./load-chunk.ts";
import type { LoadMaker } from "./make-load.ts";

const labDomain = ".lab";

/** @throws Error that names the page, when it does not load */
export async function learn(
  maker: LoadMaker,
  { settings, values }: Condition,
  { timeoutMs, registries }: { timeoutMs: number; registries: Registries },
): Promise<Learnt> {
  const { name, hosts, protocol } = settings.page;
  const page = `page ${name}`;
  const failed = ({ message }: Error): never => {
    throw new Error(`${page} did not load: ${message}`);
  };
  const { problem, evidence } = await maker.load(withoutLoss(settings), timeoutMs).catch(failed);
  if (problem) failed(new Error(problem));
  const { missedFrames } = evidence.packets;
  if (missedFrames > 0)
    throw new Error(
      `${page} is too large to be checked: a capture has room for about ${ringFrames} frames, and its load had ${missedFrames} more; leave out what is large`,
    );
  const site = `${stateDirectory}/site/${importedRoot}/${name}`;
  const built = await builtSizes(site);
  const variant = variantName(hosts, protocol);
  const requests = requestsOf(evidence, (file) => built[`${variant}/${file}`], encodingOf(values, registries));
  const broken = requests.find(
    ({ path, stopped, optional }) =>
      stopped && !optional && !startsAsPicture(`${site}/${variant}/${importedFile(path)}`),
  );
  if (broken)
    failed(
      new Error(
        `${broken.path} is no picture: the browser stops reading it before its end, so that no load shows how long it takes`,
      ),
    );
  const unanswered = (evidence.unanswered ?? []).map(({ url }) => new URL(url));
  return {
    page: name,
    as: learntAs(values),
    requests,
    outside: [...new Set(unanswered.map(({ hostname }) => hostname).filter((host) => !host.endsWith(labDomain)))],
    dialogs: evidence.dialogs ?? [],
    notFound: notFoundIn(evidence, (file) => built[`${variant}/${file}`] !== undefined),
  };
}

/** Every request of the load. The bytes of files, and of their compressed copies, are those on the servers' disk. */
function requestsOf(
  { connections, cached = [], unanswered = [] }: Evidence,
  sizeOf: (file: string) => number | undefined,
  encoding: Encoding | null,
): LearntRequest[] {
  const hidden = unanswered.flatMap(({ url, nonBlocking }): LearntRequest[] => {
    const { hostname: host, pathname: path } = new URL(url);
    if (!host.endsWith(labDomain)) return [];
    return [{ host, path, status: 0, bytes: 0, failed: true, ...(nonBlocking ? { optional: true } : {}) }];
  });
  const answered = connections.flatMap(({ host, requests }) =>
    requests.map(({ path, status, failed, nonBlocking, initiator, endMs, bytes: received }): LearntRequest => {
      const file = importedFile(path);
      const copyBytes = encoding && status === 200 ? sizeOf(file + copyEndings[encoding]) : undefined;
      const bytes = copyBytes ?? ((status === 200 && sizeOf(file)) || 0);
      return {
        host,
        path,
        status,
        bytes,
        ...(copyBytes === undefined ? {} : { encoding: encoding! }),
        ...(failed ? { failed } : {}),
        ...(endMs !== null && !failed && !nonBlocking && received < bytes ? { stopped: true } : {}),
        ...(nonBlocking || initiator ? { optional: true } : {}),
      };
    }),
  );
  const kept = cached.map(
    ({ host, path, status, nonBlocking, initiator }): LearntRequest => ({
      ...{ host, path, status, bytes: 0, cached: true },
      ...(nonBlocking || initiator ? { optional: true } : {}),
    }),
  );
  return againOptional([...answered, ...kept, ...hidden]);
}

const notFound = 404;

/** Answers of 404 to paths of files that the page has: "/about" of a folder without a slash, which some servers know and others do not. */
export const notFoundIn = ({ connections }: Pick<Evidence, "connections">, isThere: (file: string) => boolean) =>
  connections.flatMap(({ requests }) =>
    requests.flatMap(({ path, status }) => {
      const own = importedFile(path);
      const file = status === notFound && [own, `${own}/${startFile}`].find(isThere);
      return file ? [{ path, file }] : [];
    }),
  );

/** A repeated request is optional: whether a client sends it, or uses the response that it has, depends on which comes first. */
function againOptional(requests: LearntRequest[]): LearntRequest[] {
  const seen = new Set<string>();
  return requests.map((request) => {
    const key = `${request.host}${request.path}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? { ...request, optional: true } : request;
  });
}
