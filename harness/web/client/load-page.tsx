/** One load: its waterfall, its packets, and its proof, axis by axis. */
import type { ConditionData, ReportView } from "../build.ts";
import type { EvidenceView } from "../data/detail.ts";
import type { LoadDetail } from "../data/gathered.ts";
import { Captured } from "./captured.tsx";
import { load, useLoaded } from "./data.ts";
import { conditionName, figure, milliseconds, whole } from "./format.ts";
import { List, number, text } from "./list.tsx";
import { type LoadView, loadsOf } from "./loads.ts";
import { Packets } from "./packets.tsx";
import { Figure } from "./plot.tsx";
import { conditionKey, linkTo, parseKey, type Route } from "./route.ts";
import { momentsOf } from "./spans.ts";
import { Waterfall } from "./waterfall.tsx";

interface Shown {
  data: ConditionData;
  loads: LoadView[];
  one: LoadView | undefined;
  detail: LoadDetail | null;
}

export function Load({ report, route: { params } }: { report: ReportView; route: Route }) {
  const named = parseKey(params.get("c"));
  const run = named && report.runs[named[0]];
  const condition = run?.conditions[named![1]];
  const at = Number(params.get("l"));
  const shown = useLoaded<Shown>(`${named}/${at}`, report, async () => {
    if (!condition) return null;
    const data = await load(`${named![0]}/${named![1]}`);
    const loads = loadsOf(data.loads);
    const one = loads[at];
    const detail = one?.detailed ? await load(`${named![0]}/${named![1]}/${at}`) : null;
    return { data, loads, one, detail };
  });
  if (!named || !run || !condition)
    return <p class="notice">No load of this report has this address. The page Compare links to each load.</p>;
  if (!shown) return <p class="reading">Reading…</p>;
  const { data, loads, one, detail } = shown;
  if (!one) return <p class="notice">{conditionName(run, condition)} has no load with this number.</p>;
  return (
    <>
      <h1>
        {conditionName(run, condition)}: {one.ms === null ? "a failed attempt" : milliseconds(one.ms)}
      </h1>
      <Crumbs condition={conditionKey(...named)} loads={loads} one={one} detail={detail} />
      <Remarks one={one} />
      {detail?.evidence ? (
        <Detail detail={detail.evidence} data={data} name={`${condition.id}-${one.block}`} />
      ) : (
        <p class="notice">
          {detail
            ? "This attempt left no evidence."
            : "The report has the evidence of the first loads only; this load's evidence is in loads.jsonl."}
        </p>
      )}
      {data.capture && <Captured capture={data.capture} />}
    </>
  );
}

function Remarks({ one: { remarked, remark } }: { one: LoadView }) {
  if (!remarked) return null;
  const { reason, problems, flags } = remark ?? {
    reason: null,
    problems: ["./lab verify prints why it is invalid or flagged"],
    flags: [],
  };
  return (
    <>
      {reason !== null && <p class="bad">Not a valid load: {reason}</p>}
      {[...problems, ...flags].map((words) => (
        <p key={words} class="bad">
          ‡ {words}
        </p>
      ))}
    </>
  );
}

interface Place {
  condition: string;
  loads: LoadView[];
  one: LoadView;
  detail: LoadDetail | null;
}

function Crumbs({ condition, loads, one, detail }: Place) {
  const to = (place: number, words: string) =>
    loads[place] && (
      <a href={linkTo("load", { c: condition, l: String(place) })} rel={place < one.place ? "prev" : "next"}>
        {words}
      </a>
    );
  return (
    <p class="crumbs">
      <span>
        block {one.block}, attempt {one.attempt}
        {detail && `, lane ${detail.lane}, began ${detail.startedAt.replace("T", " ").replace("Z", " UTC")}`}
      </span>
      <a href={linkTo("compare", { a: condition })}>all loads of the condition</a>
      {to(one.place - 1, "← the previous load")}
      {to(one.place + 1, "the next load →")}
    </p>
  );
}

function Detail({ detail, data, name }: { detail: EvidenceView; data: ConditionData; name: string }) {
  return (
    <>
      <section class="panel">
        <Figure title="Requests by connection" name={`waterfall-${name}`}>
          <Waterfall detail={detail} paths={data.paths} />
        </Figure>
        <Moments detail={detail} />
        {detail.trace && <Packets detail={detail} trace={detail.trace} data={data} name={name} />}
      </section>
      <Proof detail={detail} data={data} />
      <Network detail={detail} data={data} />
    </>
  );
}

/** Lists the milestones that the waterfall shows as lines, in order of time. */
const Moments = ({ detail }: { detail: EvidenceView }) => (
  <p>
    {momentsOf(detail)
      .sort((a, b) => a.ms - b.ms)
      .map(({ what, ms }) => `${what} ${milliseconds(ms)}`)
      .join(" · ")}
  </p>
);

/** The checks that apply to every load, in addition to the checks of its axes (harness/judge/load/load.ts). */
const ofEveryLoad =
  "no faster than physics allows; no TCP state of earlier loads; no foreign traffic; no contradictions";

const tones = { confirmed: "good", inconclusive: "quiet", "not observable": "quiet", contradicted: "bad" } as const;

function Proof({ detail, data }: { detail: EvidenceView; data: ConditionData }) {
  const asked = new Map<string, ConditionData["values"][number]>(data.values.map((one) => [one.name, one]));
  return (
    <section class="panel">
      <h2>Proof</h2>
      <List
        columns={[text("axis"), text("configured"), text("verdict"), text("observed")]}
        rows={detail.proof.map(({ what, seen, verdict, because }) => ({
          key: what,
          title: asked.get(what)?.title,
          cells: [
            what,
            asked.get(what)?.label ?? ofEveryLoad,
            <span key="verdict" class={tones[verdict]}>
              {verdict}
            </span>,
            <>
              {seen}
              {because && <div class={tones[verdict]}>{because}</div>}
            </>,
          ],
        }))}
      />
    </section>
  );
}

function Network({ detail: { flows, link }, data }: { detail: EvidenceView; data: ConditionData }) {
  return (
    <section class="panel">
      <h2>Packets and connections</h2>
      {(["down", "up"] as const).map((name) => {
        const { sentPackets, sentBytes, lostPackets, queueDroppedPackets } = link[name];
        const mbps = name === "down" ? data.link.downMbps : data.link.upMbps;
        return (
          <p key={name}>
            {name}: {whole(sentPackets)} packets, {whole(sentBytes)} bytes, which take {figure(sentBytes / mbps / 125)}{" "}
            ms at {mbps} Mb/s; {lostPackets} lost at random, {queueDroppedPackets} dropped by a full queue
          </p>
        );
      })}
      <List
        columns={[
          text("connection"),
          number("handshake, ms"),
          number("segments sent"),
          number("retransmitted"),
          text("server"),
        ]}
        rows={flows.map(({ host, port, handshakeMs, sent, retransmitted, note }) => ({
          key: `${host}:${port}`,
          cells: [
            `port ${port} to ${host}`,
            handshakeMs === null ? "not fully captured" : figure(handshakeMs),
            sent,
            retransmitted,
            note,
          ],
        }))}
      />
    </section>
  );
}
