/** What `./lab verify` prints. */
import { markdownTable } from "markdown-table";
import { sum } from "simple-statistics";
import { serialisationMs } from "../../axes/link-values.ts";
import type { Calibration } from "../../schema/records.ts";
import { counted } from "../../schema/words.ts";
import type { AxisProof, NamedLoad, Verification } from "../judge/verify.ts";
import { verdictOf } from "./verdict.ts";

const shownLoads = 50;

/** Markdown; ends with a newline. */
export function renderVerification(verification: Verification): string {
  const {
    vouched,
    doubted,
    flagged,
    failed,
    failedUnseen,
    missing,
    tornLines,
    problems,
    axes,
    neverShown,
    losses,
    links,
  } = verification;
  const unshown = [...new Map(neverShown.map(({ condition, loads }) => [condition, loads])).values()];
  const counts = [
    `${flagged.length} flagged`,
    ...(unshown.length ? [`${sum(unshown)} in conditions that no load could show whole`] : []),
    `${counted(failed, "failed try", "failed tries")}${failedUnseen ? `, ${failedUnseen} of them without evidence` : ""}`,
    `${missing} missing`,
    ...(tornLines ? [`${tornLines} torn lines`] : []),
  ];
  const parts = [
    `${verdictOf(verification).sentence}; ${counts.join(", ")}.`,
    ...chainText(verification),
    ...verification.notes,
    ...(links.length
      ? [`Links as measured before and between the loads (the last time each):\n\n${linkTable(links)}`]
      : []),
    ...(vouched
      ? [
          `Links as the loads met them:\n\n${seenTable(verification)}`,
          timesAgree(verification),
          `What shows that a load is what was asked for:\n\n${proofTable(axes)}`,
        ]
      : []),
    ...losses
      .filter(({ honest }) => !honest)
      .map(
        ({ link, direction, askedPercent, measuredPercent, allowedPercent, packets }) =>
          `Wrong link: ${link} ${direction} lost ${measuredPercent.toFixed(3)}% of ${packets} packets; asked ${askedPercent}%, allowed ±${allowedPercent.toFixed(3)}.`,
      ),
    ...listed("Lines that are no records, or not in their place", problems),
    ...listed("Cannot vouch for", doubted.map(namedLoad)),
    ...listed("Flagged", flagged.map(namedLoad)),
    ...listed(
      "Flagged, for none of a condition's loads could show it",
      neverShown.map(({ condition, axis, loads: count }) => `${axis} of ${condition}, ${counted(count, "load")}`),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Whoever rewrites a line must rewrite the head too, wherever it was published. */
function chainText({ chain }: Verification): string[] {
  if (!chain) return ["Version 2 kept no chain of its lines."];
  const { head, breaks } = chain;
  return [
    `The chain of its lines ${breaks.length ? "is broken" : "is whole"}; its head: ${head}`,
    ...listed("Broken", breaks),
  ];
}

const namedLoad = ({ block, attempt, condition, reasons }: NamedLoad) =>
  `block ${block}, attempt ${attempt}, ${condition}: ${reasons.join("; ")}`;

function listed(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - shownLoads;
  const shown = lines.slice(0, shownLoads).map((line) => `- ${line}`);
  return [`${title}:\n\n${[...shown, ...(rest > 0 ? [`- and ${rest} more (--json has all)`] : [])].join("\n")}`];
}

const signed = (ms: number) => `${ms < 0 ? "" : "+"}${ms.toFixed(2)}`;

/** What each link was measured to be; beside what was asked where the link's name does not say it. */
export function linkTable(links: Calibration[]): string {
  const header = [
    "link",
    "RTT, ms (p99)",
    "beyond serialisation",
    "delay down / up, ms",
    "rate down / up, Mb/s",
    "lost down / up, %",
    "queue down / up, packets",
    "TCP goodput (limit), Mb/s",
  ];
  const rows = links.map(({ link, asked, measured: { rttMs, down, up, goodputMbps, goodputLimitMbps } }) => [
    link,
    `${rttMs.median.toFixed(2)} (${rttMs.p99.toFixed(2)})`,
    signed(rttMs.median - asked.rttMs - serialisationMs(asked)),
    `${down.delayMs.toFixed(2)} / ${up.delayMs.toFixed(2)}`,
    `${down.rateMbps.toFixed(3)} / ${up.rateMbps.toFixed(3)}`,
    `${down.lossPercent.toFixed(2)} / ${up.lossPercent.toFixed(2)}`,
    `${down.queuePackets.toFixed(1)} / ${up.queuePackets.toFixed(1)}`,
    `${goodputMbps.toFixed(2)} (${goodputLimitMbps.toFixed(2)})`,
  ]);
  return markdownTable([header, ...rows], { align: ["l", ...header.slice(1).map(() => "r")] });
}

/** What each link was, by its loads' own packets. */
function seenTable({ losses, sightings }: Verification): string {
  const header = [
    "link",
    "loads",
    "quickest handshake, ms",
    "lost down, %",
    "lost up, %",
    "packets lost of",
    "queue drops a load",
    "retransmitted, %",
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
  return markdownTable([header, ...rows], { align: ["l", ...header.slice(1).map(() => "r")] });
}

/** The two definitions of page load time beside each other. */
function timesAgree({ sightings: { agreement } }: Verification): string {
  if (!agreement) return "No load has a page load time by packets.";
  const { loads, medianPercent, fromPercent, toPercent } = agreement;
  return (
    "Page load time from the first request on, by load event against by packets (first request to last ACK, the Yahoo! paper's): " +
    `median ${medianPercent.toFixed(1)}% longer, 5th to 95th percentile ${fromPercent.toFixed(1)} to ${toPercent.toFixed(1)}%, of ${loads} loads.`
  );
}

/** Axis by axis. What a single load's record cannot show stands here, with the reason. */
function proofTable(axes: AxisProof[]): string {
  const header = ["axis", "shown", "hidden by chance", "cannot be seen", "because"];
  const rows = axes.map(({ axis, held, undecided, unseen, because }) => [
    axis,
    String(held),
    String(undecided),
    String(unseen),
    because.join("; "),
  ]);
  return markdownTable([header, ...rows], { align: ["l", "r", "r", "r", "l"] });
}
