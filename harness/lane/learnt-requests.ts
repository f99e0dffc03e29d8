/** Extracts the requests of a load. Later loads of the same page must make these requests, too. */

import { copyEndings, type Encoding } from "../../schema/compression.ts";
import type { Evidence } from "../../schema/evidence.ts";
import { hostAndPathOf } from "../../schema/recorded-names.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { importedFile, startFile } from "../../sites/paths.ts";
import { BestMatch } from "../../sites/recorded/best-match.ts";
import type { ReplayFile } from "../../sites/recorded/replay-file.ts";
import { withoutPrivateValues } from "../../sites/recorder/private-values.ts";

/** The names of all hosts of the lab end with this. */
export const labDomain = ".lab";

/** Returns the size of a response's body as it is sent, and its content coding. @param coding the content coding that the client reports */
type BodyOf = (path: string, status: number, coding: string | undefined) => Pick<LearntRequest, "bytes" | "encoding">;

const found = 200;

/** Finds bodies among the files in a page's folder. @param sizeOf returns the size of a file or its compressed copy on the servers' disks */
export const fileBodies =
  (sizeOf: (file: string) => number | undefined, encoding: Encoding | null): BodyOf =>
  (path, status) => {
    if (status !== found) return { bytes: 0 };
    const file = importedFile(path);
    const copyBytes = encoding ? sizeOf(file + copyEndings[encoding]) : undefined;
    return copyBytes === undefined ? { bytes: sizeOf(file) ?? 0 } : { bytes: copyBytes, encoding: encoding! };
  };

/** Uses the shortest response that matches a request's path, status and content coding, because evidence lacks requests' methods and bodies. */
export function recordedBodies({ responses }: ReplayFile): BodyOf {
  const kindOf = (status: number, coding: string | undefined) => `${status} ${coding ?? ""}`;
  const codingOf = ({ headers }: ReplayFile["responses"][number]) =>
    headers.find(([name]) => name === "content-encoding")?.[1];
  const shortestLast = responses.toSorted((a, b) => b.bytes - a.bytes);
  const match = new BestMatch(
    shortestLast.map((one) => ({ path: one.path, bytes: one.bytes, method: kindOf(one.status, codingOf(one)) })),
  );
  return (path, status, coding) => {
    const response = match.find({ method: kindOf(status, coding), path: withoutPrivateValues(path) });
    return response ? { bytes: response.bytes, ...(coding !== undefined && { encoding: coding }) } : { bytes: 0 };
  };
}

export function requestsOf({ connections, cached = [], unanswered = [] }: Evidence, bodyOf: BodyOf): LearntRequest[] {
  const hidden = unanswered.flatMap(({ url, nonBlocking }): LearntRequest[] => {
    const { host, path } = hostAndPathOf(url);
    if (!host.endsWith(labDomain)) return [];
    return [{ host, path, status: 0, bytes: 0, failed: true, ...(nonBlocking ? { optional: true } : {}) }];
  });
  const answered = connections.flatMap(({ host, requests }) =>
    requests.map(
      ({ path, status, encoding, failed, nonBlocking, initiator, endMs, bytes: received }): LearntRequest => {
        const body = bodyOf(path, status, encoding);
        return {
          host,
          path,
          status,
          ...body,
          ...(failed ? { failed } : {}),
          ...(endMs !== null && !failed && !nonBlocking && received < body.bytes ? { stopped: true } : {}),
          ...(nonBlocking || initiator ? { optional: true } : {}),
        };
      },
    ),
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

/** Finds 404 responses for files that the page has, such as "/about" for about/index.html: only some servers accept a path without a slash. */
export const notFoundIn = ({ connections }: Pick<Evidence, "connections">, isThere: (file: string) => boolean) =>
  connections.flatMap(({ requests }) =>
    requests.flatMap(({ path, status }) => {
      const own = importedFile(path);
      const file = status === notFound && [own, `${own}/${startFile}`].find(isThere);
      return file ? [{ path, file }] : [];
    }),
  );

/** Marks repeated requests as optional: timing decides whether a client sends a request again or reuses the first response. */
function againOptional(requests: LearntRequest[]): LearntRequest[] {
  const seen = new Set<string>();
  return requests.map((request) => {
    const key = `${request.host}${request.path}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? { ...request, optional: true } : request;
  });
}
