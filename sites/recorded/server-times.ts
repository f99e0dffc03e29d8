import { networkPathOf } from "../../schema/recorded-names.ts";
import { importedFile } from "../paths.ts";
import type { Exchange, Recording } from "./recording.ts";

/** Computes how long a server took to respond, without the round trip, in whole milliseconds; 0 if the time is not known. */
export function serverMsOf({ url, waitMs }: Exchange, hosts: Recording["hosts"]): number {
  const { host } = new URL(url);
  const roundTripMs = hosts.find(({ names }) => names.includes(host))?.handshakeMs ?? 0;
  return Math.max(0, Math.round((waitMs ?? 0) - roundTripMs));
}

/** Returns a page's recorded server times by file, as in page.yml. If a file was requested several times, the shortest time counts. */
export function recordedServerTimes({ exchanges, hosts }: Recording): Record<string, number> {
  const times: Record<string, number> = {};
  for (const one of exchanges) {
    const file = importedFile(networkPathOf(new URL(one.url)));
    const ms = serverMsOf(one, hosts);
    if (ms > 0) times[file] = Math.min(ms, times[file] ?? ms);
  }
  return times;
}
