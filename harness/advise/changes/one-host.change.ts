import { counted } from "../../../schema/words.ts";
import { fromOwnHost, hostIn } from "../../../sites/edits/own-host.ts";
import { requestedBy } from "../../../sites/edits/requested-by.ts";
import type { Change, ChangeKind, SeenPage } from "../change.ts";

const mostHosts = 3;

export const change: ChangeKind = {
  name: "one-host",
  title: "files of other hosts, served from the page's own host",
  changesOf({ now, seen }) {
    if (seen?.page.source.recording) return ofRecording(seen);
    if (now.servers === 1) return [];
    return [{ name: "one-host", title: "serve all files from the page's own host", values: { servers: 1 } }];
  },
};

/** Makes a change for each of the hosts with the most bytes, and a change for all hosts together. */
function ofRecording({ page, document, requests }: SeenPage): Change[] {
  const sent = new Map(requests.map(({ path, bytes }) => [path, bytes]));
  const files = new Map<string, number[]>();
  for (const { path } of requestedBy(page, document)) {
    const [host, bytes] = [hostIn(path), sent.get(path)];
    if (host !== hostIn(document) && bytes !== undefined) files.set(host, [...(files.get(host) ?? []), bytes]);
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const hosts = [...files].sort(([, a], [, b]) => sum(b) - sum(a));
  const single = hosts.slice(0, mostHosts).map(
    ([host, { length }]): Change => ({
      name: `own-host:${host}`,
      title: `serve ${counted(length, "file")} of ${host} from ${hostIn(document)}`,
      edit: fromOwnHost([host]),
    }),
  );
  if (hosts.length < 2) return single;
  const all = hosts.map(([host]) => host);
  const title = `serve all ${counted(sum(hosts.map(([, { length }]) => length)), "file")} of ${hosts.length} other hosts from ${hostIn(document)}`;
  return [...single, { name: "one-host", title, edit: fromOwnHost(all) }];
}
