/** What `./lab verify` prints: Markdown that ends with a newline. */
import { markdownTable } from "markdown-table";
import { sum } from "simple-statistics";
import { serialisationMs } from "../../axes/link-values.ts";
import { attemptInWords } from "../../schema/attempt.ts";
import { inMarkdown } from "../../schema/foreign-words.ts";
import type { Calibration } from "../../schema/records.ts";
import { counted } from "../../schema/words.ts";
import type { AxisCounts, NamedLoad, RunVerdict } from "../judge/run/run-verdict.ts";
import { alignedTable } from "../tables/format.ts";
import { type RefusedEffects, renderRefused } from "./refused.ts";
import { verdictOf } from "./verdict.ts";

const shownLoads = 50;

export function renderVerification(run: RunVerdict, refused: RefusedEffects | null = null): string {
  const { digest, valid, failed, failedWithoutEvidence, missing, tornLines, neverConfirmed, links } = run;
  const unconfirmed = [...new Map(neverConfirmed.map(({ condition, loads }) => [condition, loads])).values()];
  const counts = [
    `${run.flagged.length} flagged`,
    ...(unconfirmed.length ? [`${sum(unconfirmed)} in conditions with an axis that no load confirms`] : []),
    `${counted(failed, "failed load")}${failedWithoutEvidence ? `, ${failedWithoutEvidence} of them without evidence` : ""}`,
    `${missing} missing`,
    ...(tornLines ? [`${tornLines} torn lines`] : []),
  ];
  const parts = [
    `${verdictOf(run).sentence}; ${counts.join(", ")}.`,
    `Digest of the run's lines: ${digest}`,
    ...run.notes,
    ...(refused ? renderRefused(refused) : []),
    ...(links.length ? [`The last measurement of each link, before or between the loads:\n\n${linkTable(links)}`] : []),
    ...(valid
      ? [
          `What the loads' packets show of each link:\n\n${seenTable(run)}`,
          timesAgree(run),
          `The number of valid loads in which the evidence confirms each axis:\n\n${axesTable(run.axes)}`,
        ]
      : []),
    ...run.losses
      .filter(({ withinTolerance }) => !withinTolerance)
      .map(
        ({ link, direction, configuredPercent, measuredPercent, allowedPercent, packets }) =>
          `Wrong link: ${inMarkdown(link)} ${direction} lost ${measuredPercent.toFixed(3)}% of ${packets} packets; configured ${configuredPercent}%, allowed ±${allowedPercent.toFixed(3)}.`,
      ),
    ...listed("Problems in the run's files", run.problems.map(inMarkdown)),
    ...listed("Invalid", run.invalid.map(namedLoad)),
    ...listed("Flagged", run.flagged.map(namedLoad)),
    ...listed(
      "Flagged, because no load of the condition confirms the axis",
      neverConfirmed.map(
        ({ condition, axis, loads: count }) => `${axis} of ${inMarkdown(condition)}, ${counted(count, "load")}`,
      ),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

const namedLoad = ({ condition, reasons, ...load }: NamedLoad) =>
  `${attemptInWords({ ...load, condition: inMarkdown(condition) })}: ${reasons.map(inMarkdown).join("; ")}`;

function listed(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - shownLoads;
  const shown = lines.slice(0, shownLoads).map((line) => `- ${line}`);
  return [`${title}:\n\n${[...shown, ...(rest > 0 ? [`- and ${rest} more (--json has all)`] : [])].join("\n")}`];
}

const signed = (ms: number) => `${ms < 0 ? "" : "+"}${ms.toFixed(2)}`;

/** Returns a table of measured values. The configured values are in the links' names. */
export function linkTable(links: Calibration[]): string {
  const header = [
    ...["link", "RTT, ms (p99)", "beyond serialisation", "delay down / up, ms", "rate down / up, Mb/s"],
    ...["lost down / up, %", "queue down / up, packets", "TCP goodput (limit), Mb/s"],
  ];
  const rows = links.map(({ link, configured, measured: { rttMs, down, up, goodputMbps, goodputLimitMbps } }) => [
    link,
    `${rttMs.median.toFixed(2)} (${rttMs.p99.toFixed(2)})`,
    signed(rttMs.median - configured.rttMs - serialisationMs(configured)),
    `${down.delayMs.toFixed(2)} / ${up.delayMs.toFixed(2)}`,
    `${down.rateMbps.toFixed(3)} / ${up.rateMbps.toFixed(3)}`,
    `${down.lossPercent.toFixed(2)} / ${up.lossPercent.toFixed(2)}`,
    `${down.queuePackets.toFixed(1)} / ${up.queuePackets.toFixed(1)}`,
    `${goodputMbps.toFixed(2)} (${goodputLimitMbps.toFixed(2)})`,
  ]);
  return alignedTable([header, ...rows], 1);
}

function seenTable({ losses, sightings }: RunVerdict): string {
  const header = [
    ...["link", "loads", "quickest handshake, ms", "lost down, %", "lost up, %"],
    ...["packets", "queue drops per load", "retransmitted, %"],
  ];
  const rows = [...new Set(losses.map(({ link }) => link))].map((link) => {
    const [down, up] = losses.filter((loss) => loss.link === link);
    const seen = sightings.links.find((one) => one.link === link)!;
    return [
      link,
      String(seen.loads),
      seen.handshakeMs ? `${seen.handshakeMs.median.toFixed(2)} (to ${seen.handshakeMs.max.toFixed(2)})` : "–",
      down!.measuredPercent.toFixed(2),
      up!.measuredPercent.toFixed(2),
      String(down!.packets + up!.packets),
      seen.queueDrops.toFixed(1),
      seen.retransmittedPercent?.toFixed(2) ?? "–",
    ];
  });
  return alignedTable([header, ...rows], 1);
}

function timesAgree({ sightings: { agreement } }: RunVerdict): string {
  if (!agreement) return "No load's packets show a page load time.";
  const { loads, medianPercent, fromPercent, toPercent } = agreement;
  return (
    "The time from the first request to the load event exceeds the time from the first request to the last ACK (as in IMC 2011) by a median of " +
    `${medianPercent.toFixed(1)}% (5th to 95th percentile ${fromPercent.toFixed(1)} to ${toPercent.toFixed(1)}%, ${loads} loads).`
  );
}

function axesTable(axes: AxisCounts[]): string {
  const header = ["axis", "confirmed", "inconclusive", "not observable", "because"];
  const rows = axes.map(({ axis, confirmed, inconclusive, notObservable, because }) => [
    axis,
    String(confirmed),
    String(inconclusive),
    String(notObservable),
    because.map(inMarkdown).join("; "),
  ]);
  return markdownTable([header, ...rows], { align: ["l", "r", "r", "r", "l"] });
}
