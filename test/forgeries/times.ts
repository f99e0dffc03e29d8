/** Makes a load appear faster or slower. */
import { directions } from "../../schema/link.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { type Forgery, onLoad } from "./forgery.ts";

const scale = (record: Record<string, number | null>, names: string[], by = 0.8) => {
  for (const name of names) record[name] = record[name] === null ? null : Number(record[name]) * by;
};
const scaleTiming = (load: GoodLoad, by = 0.8) => {
  scale(load.evidence.timing, Object.keys(load.evidence.timing), by);
  load.pageLoadMs = load.evidence.timing.loadEventStart!;
};
const scaleRequests = ({ evidence: { connections } }: GoodLoad) => {
  for (const { requests } of connections) for (const request of requests) scale(request as never, ["startMs", "endMs"]);
};
const scaleSpans = ({ evidence: { packets } }: GoodLoad) =>
  scale(packets as never, ["synToRequestMs", "requestToLastDataMs", "requestToLastAckMs"]);
const scaleHandshakes = ({ evidence: { packets } }: GoodLoad) => {
  for (const flow of packets.flows) scale(flow as never, ["handshakeMs"]);
};
const scaleTransits = ({ evidence: { packets } }: GoodLoad) => {
  for (const direction of directions) scale(packets.path[direction].transit!.least as never, ["ms"]);
};
const scaleWatch = (load: GoodLoad) => {
  load.wallMs = Math.round(load.wallMs * 0.8);
  scale(load.evidence.processor as never, ["elapsedMs", "labMs"]);
};

/** Makes the load end this much sooner. Requests that ended after this new end are moved, so that they end at it. */
const endSooner = (load: GoodLoad, byMs: number) => {
  const { timing, packets, connections } = load.evidence;
  const lastMs = Math.max(...connections.flatMap(({ requests }) => requests.map(({ endMs }) => endMs!)));
  timing.loadEventStart! -= byMs;
  load.pageLoadMs = timing.loadEventStart!;
  packets.requestToLastDataMs! -= byMs;
  packets.requestToLastAckMs! -= byMs;
  for (const { requests } of connections)
    for (const request of requests)
      if (request.endMs! > lastMs - byMs) {
        request.startMs -= request.endMs! - (lastMs - byMs);
        request.endMs = lastMs - byMs;
      }
};

/** Multiplies all times since the first byte of the response by this factor. */
const scaleAfterFirstByte = (load: GoodLoad, by: number) => {
  const { timing, packets, connections } = load.evidence;
  const fromMs = timing.responseStart!;
  const scaled = (ms: number, zeroMs = 0) =>
    ms + zeroMs > fromMs ? fromMs + (ms + zeroMs - fromMs) * by - zeroMs : ms;
  for (const [name, ms] of Object.entries(timing)) timing[name] = scaled(ms);
  load.pageLoadMs = timing.loadEventStart!;
  const requestMs = timing.requestStart!;
  packets.requestToLastDataMs = scaled(packets.requestToLastDataMs!, requestMs);
  packets.requestToLastAckMs = scaled(packets.requestToLastAckMs!, requestMs);
  for (const request of connections.flatMap(({ requests }) => requests)) {
    request.startMs = scaled(request.startMs);
    request.endMs = scaled(request.endMs!);
  }
};

export const times: Forgery[] = [
  onLoad(
    "a page load time shortened in the line, but not in the client's timing",
    (load) => void (load.pageLoadMs *= 0.8),
    /its page load time is .* but the client's timing has/,
  ),
  onLoad(
    "a load event that is 20% sooner",
    (load) => {
      load.evidence.timing.loadEventStart! *= 0.8;
      load.pageLoadMs = load.evidence.timing.loadEventStart!;
    },
    /ended after .* ms, but the page had loaded after/,
  ),
  onLoad(
    "a load event that is 50% later",
    (load) => {
      load.evidence.timing.loadEventStart! *= 1.5;
      load.pageLoadMs = load.evidence.timing.loadEventStart!;
      load.wallMs *= 2;
      load.evidence.processor.elapsedMs = load.wallMs;
    },
    /its packets took .*, the processor worked/,
  ),
  onLoad(
    "all browser times scaled by 0.8",
    (load) => scaleTiming(load),
    /from connectStart .* it takes at least 200 ms/,
  ),
  onLoad(
    "all browser times and requests scaled by 0.8",
    (load) => {
      scaleTiming(load);
      scaleRequests(load);
    },
    /the page had loaded after .*; its packets took/,
  ),
  onLoad(
    "browser times, requests and packet times scaled by 0.8",
    (load) => {
      scaleTiming(load);
      scaleRequests(load);
      scaleSpans(load);
    },
    /the first request came .* after the first packet; its handshakes take at least 200/,
  ),
  onLoad(
    "browser times, requests, packet times and handshakes scaled by 0.8",
    (load) => {
      scaleTiming(load);
      scaleRequests(load);
      scaleSpans(load);
      scaleHandshakes(load);
    },
    /the quickest handshake took 8\d\.\d+ ms; the RTT is 100/,
  ),
  onLoad(
    "every time of a load scaled by 0.8",
    (load) => {
      for (const change of [scaleTiming, scaleRequests, scaleSpans, scaleHandshakes, scaleTransits, scaleWatch])
        change(load);
    },
    /down: the quickest packet took 4\d\.\d+ ms instead of 50/,
  ),
  onLoad(
    "a HelloRetryRequest, and so another round trip, recorded for each TLS handshake",
    ({ evidence }) => {
      for (const { server } of evidence.packets.flows) if (server?.hello) server.hello.retry = true;
    },
    /ServerHellos? requested another key; in TLS 1\.3 with x25519 none does/,
  ),
  onLoad(
    "less time than the bytes need at the link's rate",
    (load) => {
      for (const name of Object.keys(load.evidence.timing)) load.evidence.timing[name]! /= 8;
      load.pageLoadMs = load.evidence.timing.loadEventStart!;
    },
    /less than the link allows/,
  ),
  onLoad(
    "a load that ends up to a tenth sooner, in every time and request that shows its end",
    (load) => endSooner(load, (load.pageLoadMs - 600) * 0.1),
    /after the response before it|bytes were requested from/,
  ),
  onLoad(
    "the last response two milliseconds sooner, in every time that shows it",
    (load) => endSooner(load, 2),
    /its trace: it has no packet at the time of the last data/,
  ),
  onLoad(
    "every time after the first byte scaled by 0.97",
    (load) => scaleAfterFirstByte(load, 0.97),
    /its trace: it has no packet at the time of the last data/,
  ),
  onLoad(
    "a wall time that is shorter than the load",
    (load) => void (load.wallMs = Math.round(load.pageLoadMs / 2)),
    /its wall time is \d+ ms, but the load took/,
  ),
  onLoad("a wall time that is longer by a millisecond", (load) => void load.wallMs++, null),
  onLoad(
    "a missing browser time",
    ({ evidence: { timing } }) => void delete timing.requestStart,
    /from requestStart|to requestStart/,
  ),
  onLoad(
    "a load event that is earlier by Navigation Timing than by the browser's protocol",
    ({ evidence, pageLoadMs }) => {
      evidence.timing.loadEventEnd = pageLoadMs;
      evidence.loadedByProtocolMs = pageLoadMs + 500;
    },
    /its load event ended after .* ms by the page's Navigation Timing, but after .* ms by the browser's protocol/,
  ),
  onLoad(
    "a largest contentful paint that is earlier than the first contentful paint",
    ({ evidence }) => {
      const { responseEnd = 0, loadEventStart = 0 } = evidence.timing;
      evidence.loadedByProtocolMs = loadEventStart;
      evidence.paint = { firstContentfulMs: loadEventStart, largestContentfulMs: responseEnd };
    },
    /its largest paint was after .* ms, before its first after/,
  ),
  onLoad(
    "content on the screen before the HTML arrived",
    ({ evidence }) =>
      void (evidence.paint = { firstContentfulMs: 1, largestContentfulMs: evidence.timing.loadEventStart! }),
    /its first paint was after 1 ms, but the HTML began to arrive after/,
  ),
  onLoad(
    "content on the screen after the load's end",
    ({ evidence, wallMs }) =>
      void (evidence.paint = { firstContentfulMs: evidence.timing.responseEnd!, largestContentfulMs: wallMs + 1 }),
    /its largest paint was after .* ms, but its wall time is/,
  ),
  onLoad(
    "the processor observed for less time than the load",
    ({ evidence: { processor } }) => void (processor.elapsedMs = 300),
    /it was observed for 300 ms/,
  ),
  onLoad(
    "every object requested at 0 ms, and received at the end of the load",
    (load) => {
      for (const { requests } of load.evidence.connections)
        for (const request of requests) Object.assign(request, { startMs: 0, endMs: load.pageLoadMs - 3 });
    },
    /was requested after 0 ms, but the HTML began to arrive after|after the response before it/,
  ),
  onLoad(
    "the last data packet a millisecond after the request",
    (load) => void (load.evidence.packets.requestToLastDataMs = 1),
    /the last request ended after .*; its packets took/,
  ),
];
