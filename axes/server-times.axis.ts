import type { Evidence } from "../schema/evidence.ts";
import { longestSendingMs } from "../schema/link.ts";
import { entryOf, isImported } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { importedFile } from "../sites/paths.ts";
import { defineAxis, hidden, verdictOf } from "./axis.ts";
import { extraRttMsOf } from "./extra-rtt.ts";
import { linkOf } from "./link-values.ts";
import { oneOf } from "./values.ts";

/** At most this many bytes of a request, or of the start of a response, are in flight at once. */
const messageBytes = 3000;

declare module "../schema/plan.ts" {
  interface AxisValues {
    serverTimes: "none" | "recorded";
  }
}

/**
 * A file's recorded time is a HAR's `wait` minus a round trip. Confirmed by the client: no response's headers arrive earlier than a round trip
 * plus this time after the request, and the document's headers do not arrive much later.
 */
export const axis = defineAxis({
  name: "serverTimes",
  title: "whether servers take as long for each file of an imported page as when it was recorded",
  example: "recorded",
  follows: "server",
  field: "serverTimes",
  value: oneOf(["none", "recorded"]),
  default: "none",
  unknownBefore: "the lab had recorded server times",
  label: (times) => (times === "none" ? "no server time" : "recorded server times"),
  id: (times) => `server-times-${times}`,
  sets: (times) => (times === "none" ? {} : { server: { recordedTimes: true } }),
  needs: (times) => (times === "none" ? null : "delays"),
  refuses(times, { page, thinkTime }, { pages }) {
    if (times === "none" || !pages[page]) return null;
    if (!serverTimesOf(pages[page])) return `page ${page} has no recorded server times (serverTimes in its page.yml)`;
    return thinkTime > 0 ? "thinkTime would delay the same responses, too; thinkTime=0ms is allowed" : null;
  },
  proves(times, all, evidence, registries) {
    const recorded = serverTimesOf(entryOf(registries.pages, "pages", all.page));
    if (!recorded) return { notObservable: "the page has no recorded server times" };
    const link = linkOf(all, registries);
    const { rttMs, jitterMs = 0 } = link;
    const serverMs = (path: string) => (times === "recorded" ? (recorded[importedFile(path)] ?? 0) : all.thinkTime);
    const extraMsOf = extraRttMsOf(all, registries);
    const waits = waitsOf(evidence).map(({ host, path, ms }) => ({
      path,
      ms,
      leastMs: rttMs - 2 * jitterMs + extraMsOf(host) + serverMs(path),
    }));
    const [document] = waits;
    if (!document) return hidden(evidence, "no response arrived");
    const early = waits.filter(({ ms, leastMs }) => ms < leastMs - tolerance.timerMs - tolerance.earlyMs);
    const transmissionMs = longestSendingMs(link, "up", messageBytes) + longestSendingMs(link, "down", messageBytes);
    const mostMs = document.leastMs + 4 * jitterMs + tolerance.serverMs + transmissionMs;
    const { down, up } = evidence.link;
    const lost = [down, up].reduce((sum, way) => sum + way.lostPackets + (way.damagedPackets ?? 0), 0);
    return verdictOf([
      ...early.map(
        ({ path, ms, leastMs }) => `${path} was answered after ${ms.toFixed(1)} ms; at least ${leastMs} expected`,
      ),
      ...(document.ms > mostMs && lost === 0
        ? [`${document.path} was answered after ${document.ms.toFixed(1)} ms; at most ${mostMs.toFixed(1)} expected`]
        : []),
    ]);
  },
});

const serverTimesOf = (page: Parameters<typeof isImported>[0]) => (isImported(page) ? page.serverTimes : undefined);

/** The time from sending each request to its response's headers, in the order of the requests: the document's time comes first. */
const waitsOf = ({ connections }: Evidence) =>
  connections
    .flatMap(({ host, requests }) => requests.map((request) => ({ host, ...request })))
    .sort((a, b) => a.startMs - b.startMs)
    .flatMap(({ host, path, sentMs, answeredMs }) =>
      sentMs !== undefined && answeredMs !== undefined ? [{ host, path, ms: answeredMs - sentMs }] : [],
    );
