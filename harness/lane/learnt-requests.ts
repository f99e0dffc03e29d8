/** What a load requested, which later loads of the same page must request too. */

import { copyEndings, type Encoding } from "../../schema/compression.ts";
import type { Evidence } from "../../schema/evidence.ts";
import type { LearntRequest } from "../../schema/registries.ts";
import { importedFile, startFile } from "../../sites/paths.ts";

/** The names of all hosts of the lab end with this. */
export const labDomain = ".lab";

/** Every request of the load. The sizes of files, and of their compressed copies, are those on the servers' disks. */
export function requestsOf(
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

/** 404 responses for files that the page has, such as "/about" for a folder's start file: only some servers accept a folder without its slash. */
export const notFoundIn = ({ connections }: Pick<Evidence, "connections">, isThere: (file: string) => boolean) =>
  connections.flatMap(({ requests }) =>
    requests.flatMap(({ path, status }) => {
      const own = importedFile(path);
      const file = status === notFound && [own, `${own}/${startFile}`].find(isThere);
      return file ? [{ path, file }] : [];
    }),
  );

/** A repeated request is optional: it depends on timing whether a client sends it again or uses the first response. */
function againOptional(requests: LearntRequest[]): LearntRequest[] {
  const seen = new Set<string>();
  return requests.map((request) => {
    const key = `${request.host}${request.path}`;
    const again = seen.has(key);
    seen.add(key);
    return again ? { ...request, optional: true } : request;
  });
}
