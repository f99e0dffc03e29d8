/** Learns what an imported page requests, by a load without loss. */
import { encodingOf, learntAs } from "../../axes/expected.ts";
import { stateDirectory } from "../../hosts/control.ts";
import { ringFrames } from "../../observe/packet-capture.ts";
import { importedPath, importedRoot } from "../../pages/paths.ts";
import { builtSizes } from "../../pages/site.ts";
import { copyEndings, type Encoding } from "../../schema/compression.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { Learnt } from "../../schema/lane-messages.ts";
import type { Condition } from "../../schema/plan.ts";
import type { LearntRequest, Registries } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
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
  const { problem, evidence } = await maker.load(withoutLoss(settings), timeoutMs);
  const page = `page ${name} over ${hosts} hosts by ${protocol}`;
  if (problem) throw new Error(`${page} did not load: ${problem}`);
  const { missedFrames } = evidence.packets;
  if (missedFrames > 0)
    throw new Error(
      `${page} is too large to be checked: a capture has room for about ${ringFrames} frames, and its load had ${missedFrames} more; leave out what is large`,
    );
  const unanswered = (evidence.unanswered ?? []).map(({ url }) => new URL(url));
  return {
    page: name,
    as: learntAs(values),
    requests: await requestsOf(evidence, settings.page, encodingOf(values, registries)),
    outside: [...new Set(unanswered.map(({ hostname }) => hostname).filter((host) => !host.endsWith(labDomain)))],
  };
}

/** Every request of the load. The bytes of files, and of their compressed copies, are those on the servers' disk. */
async function requestsOf(
  { connections, cached = [], unanswered = [] }: Evidence,
  page: Settings["page"],
  encoding: Encoding | null,
): Promise<LearntRequest[]> {
  const built = await builtSizes(`${stateDirectory}/site/${importedRoot}/${page.name}`);
  const sizes = new Map(
    Object.entries(built).map(([file, bytes]) => {
      const [variant = "", ...path] = file.split("/");
      const [hosts, protocol = ""] = variant.split("-");
      return [importedPath(page.name, Number(hosts), protocol, path.join("/")), bytes];
    }),
  );
  const hidden = unanswered.flatMap(({ url, nonBlocking }): LearntRequest[] => {
    const { hostname: host, pathname: path } = new URL(url);
    if (!host.endsWith(labDomain)) return [];
    return [{ host, path, status: 0, bytes: 0, failed: true, ...(nonBlocking ? { optional: true } : {}) }];
  });
  const answered = connections.flatMap(({ host, requests }) =>
    requests.map(({ path, status, failed, nonBlocking, initiator }): LearntRequest => {
      const file = canonical(path);
      const copyBytes = encoding && status === 200 ? sizes.get(file + copyEndings[encoding]) : undefined;
      const bytes = copyBytes ?? ((status === 200 && sizes.get(file)) || 0);
      return {
        host,
        path,
        status,
        bytes,
        ...(copyBytes === undefined ? {} : { encoding: encoding! }),
        ...(failed ? { failed } : {}),
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

/** The path with the lab's escapes: a script may escape other characters. */
function canonical(path: string): string {
  try {
    return path.split("/").map(decodeURIComponent).map(encodeURIComponent).join("/");
  } catch {
    return path;
  }
}
