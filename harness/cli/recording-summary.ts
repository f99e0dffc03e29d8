/** Prints the contents of a recording: its hosts, its kinds of responses, and what was left out. */
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { extraRttsMs, placesOf } from "../../schema/host-rtts.ts";
import { counted } from "../../schema/words.ts";
import { grouped } from "../../sites/har/same-url.ts";
import { bodiesOf, type Exchange, hostsIn, type Recording } from "../../sites/recorded/recording.ts";
import { print } from "../output/output.ts";
import { printList } from "./print-list.ts";
import { printTable } from "./print-table.ts";

export function printRecording(folder: string, { hosts, exchanges, leftOut }: Recording): void {
  const names = hosts.reduce((sum, one) => sum + one.names.length, 0);
  const kept = bodiesOf(exchanges).reduce((sum, { bytes }) => sum + bytes, 0);
  const from = `${counted(hosts.length, "host")} with ${counted(names, "name")}`;
  const { bytes } = amountOf(exchanges);
  const once = bytes === kilobytes(kept) ? "" : ` (${kilobytes(kept)} on disk, where equal bodies are kept once)`;
  const servers = webHosts(readTopology());
  const farther = distances(hosts, servers);
  print(`${folder}: ${counted(exchanges.length, "response")} from ${from}, ${bytes}${once}\n\n`);
  printTable(
    hosts.map((host, i) => ({
      host: i + 1,
      ...amountOf(exchanges.filter(({ url }) => host.names.includes(new URL(url).host))),
      handshake: host.handshakeMs === null ? "unknown" : `${host.handshakeMs} ms`,
      ...(farther.length > 0 && { [`hostRtts recorded, ${servers.length} servers`]: farther[i] }),
      names: host.names.join(" "),
    })),
  );
  print("");
  const kinds = grouped(exchanges, kindOf);
  printTable([...kinds].map(([kind, some]) => ({ kind, ...amountOf(some) })).sort((a, b) => b.responses - a.responses));
  const others = oddities(exchanges);
  if (others.length) print(`\n${others.join(", ")}`);
  printList(leftOut, "Not kept:");
}

/** For recorded RTTs: the lab host that serves each recorded host, and by how many ms that lab host's RTT exceeds the lowest RTT. */
function distances(recorded: Recording["hosts"], servers: readonly { name: string }[]): string[] {
  const all = hostsIn({ hosts: recorded });
  if (!all.rttsMs || recorded.length === 1) return [];
  const extraMs = extraRttsMs(all, servers.length, "recorded");
  return placesOf(all, servers.length, "recorded").map((place) => `${servers[place]?.name} +${extraMs[place]} ms`);
}

const amountOf = (some: readonly Exchange[]) => ({
  responses: some.length,
  bytes: kilobytes(some.reduce((sum, { body }) => sum + (body?.bytes ?? 0), 0)),
});

const kilobytes = (bytes: number) =>
  bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;

/** The first pattern that matches a response's type determines the response's kind. */
const kindsByType: readonly (readonly [kind: string, type: RegExp])[] = [
  ["HTML", /html/],
  ["style", /css/],
  ["script", /javascript|ecmascript/],
  ["image", /^image\//],
  ["font", /font/],
  ["video or sound", /^(video|audio)\/|mpegurl|dash\+xml/],
  ["data", /json|xml|text\/plain|csv|protobuf/],
];

function kindOf({ status, headers, body }: Exchange): string {
  const type = headers.find(([name]) => name === "content-type")?.[1].toLowerCase() ?? "";
  if (status >= 300 && status < 400) return "redirect";
  if (!body) return "empty";
  return kindsByType.find(([, pattern]) => pattern.test(type))?.[0] ?? "other";
}

/** Describes what the tables do not show: requests with methods other than GET, and failures. */
function oddities(exchanges: readonly Exchange[]): string[] {
  const methods = grouped(exchanges, ({ method }) => method);
  const failures = grouped(
    exchanges.filter(({ status }) => status >= 400),
    ({ status }) => `${status}`,
  );
  return [
    ...[...methods].flatMap(([method, some]) => (method === "GET" ? [] : [`${some.length} by ${method}`])),
    ...[...failures].map(([status, some]) => `${some.length} with status ${status}`),
  ];
}
