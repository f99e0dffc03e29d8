import { lookup } from "mrmime";
import { sum } from "simple-statistics";
import type { Evidence, RequestEvidence } from "../schema/evidence.ts";
import { importedFile } from "../sites/paths.ts";
import type { Metric } from "./metric.ts";

/** File types, as Lighthouse names them, and their media types. */
const fileTypes = {
  document: /^text\/html$|^application\/xhtml\+xml$/,
  script: /(java|ecma)script$/,
  stylesheet: /^text\/css$/,
  image: /^image\//,
  font: /^font\/|^application\/(x-)?font|^application\/vnd\.ms-fontobject$/,
};

/** Media types that servers send for files of unknown type. */
const unknownTypes = ["text/plain", "application/octet-stream", "binary/octet-stream"];

/** The response's media type; from the path for redirects and errors, and if the type is missing (older records) or unknown to the server. */
function mediaTypeOf({ mediaType = "", status, path }: RequestEvidence): string {
  const byPath = lookup(importedFile(path.split("?", 1)[0]!));
  const tells = mediaType !== "" && !unknownTypes.includes(mediaType) && (status < 300 || status === notModified);
  return tells ? mediaType : (byPath ?? mediaType);
}
const notModified = 304;

const ofOneType = (type: string, media: RegExp, place: number): Metric[] => {
  const requestsIn = ({ connections }: Evidence): RequestEvidence[] =>
    connections.flatMap(({ requests }) => requests).filter((request) => media.test(mediaTypeOf(request)));
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
