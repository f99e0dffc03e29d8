/** A paper's folder outside the checkout: an experiment of two factors, with one file of every kind next to it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { egressAxis, files } from "./all/alone/new-entries.ts";

const model = `import type { PageLoadModel } from "./model.ts";

export const model: PageLoadModel = {
  name: "floor",
  title: "all bytes after two round trips",
  source: "test/paper.ts",
  pageLoadMs: ({ requests, downMbps, rttMs, protocol }) =>
    protocol.alpn === "h2" ? requests.reduce((sum, { bytes }) => sum + bytes, 0) / (125 * downMbps) + 2 * rttMs : null,
};
`;

const experiment = `title: All that is beside it
loads: 1
metric: parsedMs
axes:
  page: [mini]
  servers: [1]
  link: [home]
  protocol: [h1, h2]
  initcwnd: [10]
  server: [mine]
  ports: [any, high]
  egress: [fair]
  recovery: [dupacks]
baseline: {protocol: h1, ports: any}
comparisons:
  h2: {title: HTTP/2, option: {protocol: h2}}
  ports: {title: high ports, option: {ports: high}}
  both: {title: both, option: {protocol: h2, ports: high}}
tables:
  - {id: "1", title: Times, cells: value, rows: protocol, columns: ports}
figures:
  - {id: times, title: Times, quantity: value, metric: pageLoadMs, x: ports, series: protocol, models: [{name: floor}]}
`;

/** The new entries that the folder can contain. They lack the protocol "h2b", because only the lab's servers/protocols.yml has protocols. */
const own = Object.entries(files)
  .filter(([path]) => /^(axes|metrics|pages|servers)\//.test(path))
  .map(([path, text]) => [path, text.replace(', "h2b"]', "]")] as const);

export const paperFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(own),
  "axes/egress.axis.ts": egressAxis,
  "models/floor.model.ts": model,
  "links.yml": "home: {down: 16 Mb/s, up: 4 Mb/s, rtt: 30 ms, loss: 0 %, queue: {down: 60 packets, up: 64 KB}}\n",
  "small.claims.yml":
    "claims: {ports: {says: Ports do nothing, quantity: {comparison: ports}, holds: from 0.5 to 2}}\n",
  "small.yml": experiment,
};

export function putFile(folder: string, path: string, text: string): void {
  mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
  writeFileSync(`${folder}/${path}`, text);
}

/** @returns the experiment's path */
export function putPaper(folder: string): string {
  for (const [path, text] of Object.entries(paperFiles)) putFile(folder, path, text);
  return `${folder}/small.yml`;
}
