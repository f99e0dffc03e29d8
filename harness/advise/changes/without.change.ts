import { counted } from "../../../schema/words.ts";
import { hostIn } from "../../../sites/edits/own-host.ts";
import { requestedBy, type Use } from "../../../sites/edits/requested-by.ts";
import { without } from "../../../sites/edits/without.ts";
import { objectHost } from "../../../sites/paths.ts";
import { printedBytes } from "../../gate/measures.ts";
import type { Change, ChangeKind, SeenPage } from "../change.ts";

/** Each change costs loads, so only this many of the largest files are tried one by one. */
const mostFiles = 3;

const kinds: readonly (readonly [kind: Use, name: string])[] = [
  ["script", "script"],
  ["style", "style sheet"],
  ["image", "image"],
  ["font", "font"],
  ["frame", "frame"],
];

export const change: ChangeKind = {
  name: "without",
  title:
    "what files cost: the page without one file, without all files of a kind, or without all files of another host",
  changesOf({ now, seen }) {
    if (!seen) return [];
    const files = largest(seen);
    const single = files.slice(0, mostFiles).map((file) => ofFiles(`without:${file.path}`, file.path, [file]));
    const all = kinds.flatMap(([kind, name]) => {
      const own = files.filter(({ as }) => (as === "module" ? "script" : as) === kind);
      return own.length < 2 ? [] : [ofFiles(`without-${kind}s`, `all ${counted(own.length, name)}`, own)];
    });
    const others = otherHosts(seen, now.servers).flatMap((host) => {
      const own = files.filter((file) => file.host === host);
      return own.length === 0
        ? []
        : [ofFiles(`without-host:${host}`, `${counted(own.length, "file")} of ${host}`, own)];
    });
    return [...single, ...all, ...others];
  },
};

/** Returns all hosts except the document's. A recording has the names of its original hosts; other pages have the lab's host names. */
function otherHosts({ page, document }: SeenPage, servers: number): string[] {
  const { recording } = page.source;
  if (!recording) return Array.from({ length: servers }, (_, i) => objectHost(i, servers)).slice(1);
  return recording.hosts.flatMap(({ names }) => names).filter((name) => name !== hostIn(document));
}

interface File {
  path: string;
  bytes: number;
}

function ofFiles(name: string, what: string, files: readonly File[]): Change {
  const paths = files.map(({ path }) => path);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    name,
    title: `leave out ${what} (${printedBytes(bytes)})`,
    edit: without(paths),
    takesAway: (path) => paths.includes(path),
    leavesOut: true,
  };
}

/** Finds the files that markup and style sheets request, the largest first. */
function largest({ page, document, requests }: SeenPage) {
  const sent = new Map(requests.map((one) => [one.path, one]));
  return requestedBy(page, document)
    .flatMap(({ path, as }) => {
      const found = sent.get(path);
      const host = page.source.recording ? hostIn(path) : found?.host;
      return found && host !== undefined ? [{ path, as, host, bytes: found.bytes }] : [];
    })
    .sort((a, b) => b.bytes - a.bytes);
}
