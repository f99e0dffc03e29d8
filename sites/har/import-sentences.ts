/** Sentences about an imported recording: how its entries were used, and where the page differs from what was recorded. */
import { counted } from "../../schema/words.ts";
import { gzippedBytes } from "../imported/compressed-copies.ts";
import { mostServerMs } from "../imported/imported-page.ts";
import { unmarkedBytes } from "../imported/text-encoding.ts";
import type { FilePlan } from "./file-plan.ts";
import { isLargerPicture, largerPicture } from "./filler-picture.ts";
import type { Recorded, Recording } from "./read-har.ts";
import { grouped } from "./same-url.ts";

export interface Written {
  one: Recorded;
  plan: FilePlan;
  path: string;
  content: Buffer;
}

export function sentencesOf(
  { recorded, start }: Recording,
  written: readonly Written[],
  hosts: readonly string[],
  unnamed: readonly Recorded[],
): string[] {
  const redirects = recorded.filter(({ redirect }) => redirect !== null);
  const wrong = recorded.filter(({ redirect, isThere }) => redirect === null && !isThere);
  return [
    `${counted(written.length, "file")} from ${start.url}; texts are sent compressed`,
    ...of(redirects.length, "redirect", "redirects", ": references to a redirect now point to its target"),
    ...of(
      wrong.length,
      "response without a file",
      "responses without a file",
      " (404 and others): the lab responds with 404",
    ),
    ...aboutBodies(written),
    ...aboutTimes(written),
    ...(start.body
      ? of(
          unnamed.length,
          "file is",
          "files are",
          " not referenced by HTML or CSS, and loaded only if requested by a script",
        )
      : [
          "the HTML was not recorded: the lab generated HTML that references all files to which no style sheet refers, in the order of their requests",
        ]),
    ...aboutHosts(hosts),
  ];
}

const of = (number: number, one: string, many: string, sentence: string) =>
  number ? [`${counted(number, one, many)}${sentence}`] : [];

function aboutTimes(written: readonly Written[]): string[] {
  const times = written.map(({ one }) => one.serverMs).filter((ms) => ms > 0);
  return [
    ...of(
      times.length,
      "server time is",
      "server times are",
      " recorded: servers wait this long before they respond if a run has the axis serverTimes, or ./lab gate the option --server-times",
    ),
    ...of(
      times.filter((ms) => ms > mostServerMs).length,
      "server time is",
      "server times are",
      ` longer than ${mostServerMs / 1000} s, and reduced to that limit`,
    ),
  ];
}

function aboutHosts(hosts: readonly string[]): string[] {
  if (hosts.length <= 1) return [];
  const shown = hosts.slice(0, mostHostsShown).map((host, i) => `${host} is number ${i + 1}`);
  const more = hosts.length > mostHostsShown ? ", ..." : "";
  return [
    `${hosts.length} hosts: ${shown.join(", ")}${more}; if a run has fewer hosts, larger numbers start again at the first host (without "hosts" in page.yml, files are assigned to hosts in turn)`,
  ];
}

const about = (some: readonly Written[], one: string, many: string, sentence: string, shown = numberOf) =>
  some.length ? [`${counted(some.length, one, many)} ${sentence} (${listed(some, shown)})`] : [];

function aboutBodies(written: readonly Written[]): string[] {
  return [
    ...aboutFiller(written),
    ...about(
      written.filter(({ one }) => one.body && one.bodyBytes !== null && one.bodyBytes < unmarkedBytes(one.body)),
      "size is",
      "sizes are",
      "smaller than the recorded body: the body's own size is used",
    ),
    ...about(
      written.filter(({ plan }) => plan.isUncompressed),
      "text was",
      "texts were",
      "sent uncompressed in the recording, and the lab does the same (listed under uncompressed in page.yml)",
    ),
    ...about(
      written.filter(({ one }) => one.isPushed),
      "file was",
      "files were",
      "pushed in the recording: the lab does not push, so such a file is loaded only if the page requests it",
    ),
    ...aboutWire(written),
  ];
}

function aboutFiller(written: readonly Written[]): string[] {
  return [
    ...about(
      written.filter(({ one }) => !one.body),
      "body was",
      "bodies were",
      "not recorded: replaced by filler of the same size and type",
    ),
    ...about(
      written.filter(({ plan }) => plan.isAssumed),
      "size is",
      "sizes are",
      "not recorded: assumed to be the median size of the other files of the same type, or 10 kB",
    ),
    ...about(
      written.filter(isCut),
      "body was",
      "bodies were",
      "truncated in the recording: padded with filler to the full size; pictures are replaced by filler",
      ({ one, plan }) => `${one.number} with ${one.body!.length} of ${plan.bytes} B`,
    ),
    ...about(
      written.filter(({ one, plan, content }) => isLargerPicture(one.type, content, plan)),
      "picture is",
      "pictures are",
      largerPicture,
      ({ one, plan, content }) => `${one.number} with ${content.length} instead of ${plan.bytes} B`,
    ),
  ];
}

const isCut = ({ one, plan }: Written): boolean => one.body !== null && plan.bytes > one.body.length;
const numberOf = ({ one }: Written): string => `${one.number}`;

const mostShown = 5;
const mostHostsShown = 30;
function listed(some: readonly Written[], shown: (written: Written) => string): string {
  const ordered = some.toSorted((a, b) => a.one.number - b.one.number);
  return `entry ${ordered.slice(0, mostShown).map(shown).join(", ")}${some.length > mostShown ? ", ..." : ""}`;
}

/** A sentence reports a file type whose bytes on the network differ from the recorded bytes by more than this share. */
const agreeingShare = 0.05;

function aboutWire(written: readonly Written[]): string[] {
  const sized = written.filter(({ plan }) => plan.wireBytes !== null);
  const unknown = written.length - sized.length;
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  const sentences = [...grouped(sized, ({ one }) => one.type)].flatMap(([type, some]) => {
    const recordedBytes = sum(some.map(({ plan }) => plan.wireBytes!));
    const bytes = sum(
      some.map(({ plan, path, content }) => (plan.isUncompressed ? content.length : gzippedBytes(path, content))),
    );
    return Math.abs(bytes - recordedBytes) <= agreeingShare * recordedBytes
      ? []
      : [
          `${type || "files without a type"}: the recording has ${spoken(recordedBytes)} on the network, but the lab sends ${spoken(bytes)} (with texts compressed by gzip)`,
        ];
  });
  return [
    ...(unknown
      ? [
          `${counted(unknown, "size on the network is", "sizes on the network are")} not recorded, and cannot be compared with what the lab sends`,
        ]
      : []),
    ...sentences,
  ];
}

const spoken = (bytes: number) =>
  bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
