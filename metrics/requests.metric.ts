import { lookup } from "mrmime";
import { sum } from "simple-statistics";
import type { Evidence, RequestEvidence } from "../schema/evidence.ts";
import type { Metric } from "./metric.ts";

/** File types by Lighthouse's names, and their media types, which servers derive from the file extension. */
const fileTypes = {
  document: /^text\/html$/,
  script: /javascript$/,
  stylesheet: /^text\/css$/,
  image: /^image\//,
  font: /^font\/|^application\/vnd\.ms-fontobject$/,
};

const ofOneType = (type: string, media: RegExp, place: number): Metric[] => {
  const requestsIn = ({ connections }: Evidence): RequestEvidence[] =>
    connections.flatMap(({ requests }) => requests).filter(({ path }) => media.test(lookup(path) ?? ""));
  const [requests, bytes] = [`${type}Requests`, `${type}Bytes`];
  return [
    {
      ...{ name: requests, title: `requests for type ${type}`, unit: "", tables: false },
      gate: { name: requests, place, ifBudgeted: true },
      of: (evidence) => requestsIn(evidence).length,
    },
    {
      ...{ name: bytes, title: `bytes of type ${type}`, unit: "B", tables: false },
      gate: { name: bytes, place: place + 1, ifBudgeted: true },
      of: (evidence) => sum(requestsIn(evidence).map((request) => request.bytes)),
    },
  ];
};

/** The number of a page's requests, and the bytes of the responses as sent: compressed, with headers. */
export const metric: Metric[] = [
  {
    name: "requests",
    title: "requests",
    unit: "",
    tables: false,
    gate: { name: "requests", place: 5 },
    of: ({ requests }) => requests,
  },
  {
    name: "receivedKilobytes",
    title: "bytes received",
    unit: "kB",
    tables: false,
    compared: 6,
    of: ({ receivedBytes }) => receivedBytes / 1000,
  },
  {
    name: "receivedBytes",
    title: "bytes",
    unit: "B",
    tables: false,
    gate: { name: "bytes", place: 6 },
    of: ({ receivedBytes }) => receivedBytes,
  },
  ...Object.entries(fileTypes).flatMap(([type, media], i) => ofOneType(type, media, 8 + 2 * i)),
];
