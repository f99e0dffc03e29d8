/** What `./lab verify` prints. */
import { markdownTable } from "markdown-table";
import { max, median } from "simple-statistics";
import { serialisationMs } from "../judge/contradictions.ts";
import type { GoodLoad, Verdict, Verification } from "../judge/verify.ts";
import type { Calibration } from "../lane/calibration.ts";

const shownLoads = 50;

/** Markdown; ends with a newline. */
export function renderVerification({ verdicts, failed, missing, tornLines, losses, links }: Verification): string {
  const vouched = verdicts.filter(({ doubts }) => doubts.length === 0);
  const doubted = verdicts.filter(({ doubts }) => doubts.length > 0);
  const flagged = vouched.filter(({ flags }) => flags.length > 0);
  const count = (number: number, what: string) => `${number} ${what}`;
  const parts = [
    `Vouched for: ${vouched.length} of ${verdicts.length} loads; ${[count(flagged.length, "flagged"), count(failed, "failed tries"), count(missing, "missing"), ...(tornLines ? [count(tornLines, "torn lines")] : [])].join(", ")}.`,
    ...(links.length
      ? [`Links as measured before and between the loads (the last time each):\n\n${linkTable(links)}`]
      : []),
    ...(vouched.length
      ? [
          `Links as the loads met them:\n\n${channelTable(
            vouched.map(({ load }) => load),
            losses,
          )}`,
          timesAgree(vouched.map(({ load }) => load)),
        ]
      : []),
    ...losses
      .filter(({ honest }) => !honest)
      .map(
        ({ channel, direction, askedPercent, measuredPercent, allowedPercent, packets }) =>
          `Wrong link: ${channel} ${direction} lost ${measuredPercent.toFixed(3)}% of ${packets} packets; asked ${askedPercent}%, allowed ±${allowedPercent.toFixed(3)}.`,
      ),
    ...listed("Cannot vouch for", doubted, ({ doubts }) => doubts),
    ...listed("Flagged", flagged, ({ flags }) => flags),
  ];
  return `${parts.join("\n\n")}\n`;
}

function listed(title: string, verdicts: Verdict[], reasons: (verdict: Verdict) => string[]): string[] {
  if (verdicts.length === 0) return [];
  const lines = verdicts
    .slice(0, shownLoads)
    .map(
      (verdict) =>
        `- block ${verdict.load.block}, attempt ${verdict.load.attempt}, ${verdict.load.condition}: ${reasons(verdict).join("; ")}`,
    );
  const rest = verdicts.length - lines.length;
  return [`${title}:\n\n${lines.join("\n")}${rest ? `\n- and ${rest} more (--json has all)` : ""}`];
}

/** What each link was measured to be; beside what was asked where the channel's name does not say it. */
export function linkTable(links: Calibration[]): string {
  const header = [
    "channel",
    "RTT, ms (p99)",
    "beyond serialisation",
    "delay down / up, ms",
    "rate down / up, Mb/s",
    "lost down / up, %",
    "queue down / up, packets",
    "TCP goodput (limit), Mb/s",
  ];
  const rows = links.map(({ channel, measured: { rttMs, down, up, goodputMbps, goodputLimitMbps } }) => [
    channel.name,
    `${rttMs.median.toFixed(2)} (${rttMs.p99.toFixed(2)})`,
    `+${(rttMs.median - channel.rttMs - serialisationMs(channel)).toFixed(2)}`,
    `${down.delayMs.toFixed(2)} / ${up.delayMs.toFixed(2)}`,
    `${down.rateMbps.toFixed(3)} / ${up.rateMbps.toFixed(3)}`,
    `${down.lossPercent.toFixed(2)} / ${up.lossPercent.toFixed(2)}`,
    `${down.queuePackets.toFixed(1)} / ${up.queuePackets.toFixed(1)}`,
    `${goodputMbps.toFixed(2)} (${goodputLimitMbps.toFixed(2)})`,
  ]);
  return markdownTable([header, ...rows], { align: ["l", ...header.slice(1).map(() => "r")] });
}

/** What each channel was, by its loads' own packets. */
function channelTable(loads: GoodLoad[], losses: Verification["losses"]): string {
  const header = [
    "channel",
    "loads",
    "quickest handshake, ms",
    "lost down, %",
    "lost up, %",
    "packets lost of",
    "queue drops a load",
    "retransmitted, %",
  ];
  const rows = [...new Set(losses.map(({ channel }) => channel))].map((channel) => {
    const own = loads.filter((load) => load.channel === channel);
    const flows = own.flatMap(({ evidence }) => evidence.packets?.flows ?? []);
    const handshakes = own.flatMap(({ evidence }) =>
      quickest(evidence.packets?.flows.flatMap(({ handshakeMs }) => handshakeMs ?? []) ?? []),
    );
    const servers = flows.flatMap(({ server }) => server ?? []);
    const sent = servers.reduce((sum, { sentSegments }) => sum + sentSegments, 0);
    const again = servers.reduce((sum, { retransmittedSegments }) => sum + retransmittedSegments, 0);
    const drops = own.reduce(
      (sum, { evidence: { link } }) =>
        sum + (link?.down.queueDroppedPackets ?? 0) + (link?.up.queueDroppedPackets ?? 0),
      0,
    );
    const [down, up] = (["down", "up"] as const).map(
      (direction) => losses.find((loss) => loss.channel === channel && loss.direction === direction)!,
    );
    return [
      channel,
      String(own.length),
      handshakes.length ? `${median(handshakes).toFixed(2)} (to ${max(handshakes).toFixed(2)})` : "–",
      down!.measuredPercent.toFixed(2),
      up!.measuredPercent.toFixed(2),
      String(down!.packets + up!.packets),
      (drops / own.length).toFixed(1),
      ((100 * again) / sent).toFixed(2),
    ];
  });
  return markdownTable([header, ...rows], { align: ["l", ...header.slice(1).map(() => "r")] });
}

const quickest = (values: number[]) => (values.length ? [Math.min(...values)] : []);

/** The two definitions of page load time beside each other. */
function timesAgree(loads: GoodLoad[]): string {
  const differences = loads.flatMap(({ pageLoadMs, evidence: { packets, timing } }) =>
    packets?.requestToLastAckMs == null || timing.requestStart === undefined
      ? []
      : [{ byEvent: pageLoadMs - timing.requestStart, byPackets: packets.requestToLastAckMs }],
  );
  if (differences.length === 0) return "No load has a page load time by packets.";
  const shares = differences
    .map(({ byEvent, byPackets }) => (100 * (byEvent - byPackets)) / byPackets)
    .sort((a, b) => a - b);
  const at = (share: number) => shares[Math.min(shares.length - 1, Math.floor(share * shares.length))]!.toFixed(1);
  return (
    `Page load time from the first request on, by load event against by packets (first request to last ACK, the Yahoo! paper's): ` +
    `median ${at(0.5)}% longer, 5th to 95th percentile ${at(0.05)} to ${at(0.95)}%, of ${differences.length} loads.`
  );
}

/** The same, for programs: counts, and every load that is doubted or flagged. */
export function renderVerificationJson({ verdicts, ...rest }: Verification): string {
  const identity = ({ load: { condition, block, attempt }, doubts, flags }: Verdict) => ({
    condition,
    block,
    attempt,
    doubts,
    flags,
  });
  return `${JSON.stringify({ loads: verdicts.length, vouched: verdicts.filter(({ doubts }) => doubts.length === 0).length, ...rest, named: verdicts.filter(({ doubts, flags }) => doubts.length + flags.length > 0).map(identity) }, null, 2)}\n`;
}
