/** One load: its waterfall, what its packets met, and its proof, line by line. */
import { useEffect, useState } from "preact/hooks";
import type { ConditionData, LoadDetail, LoadView, ReportView, RunView } from "../data/model.ts";
import { load } from "./data.ts";
import { conditionName, figure, milliseconds, whole } from "./format.ts";
import { Packets } from "./packets.tsx";
import { Figure } from "./plot.tsx";
import { conditionKey, linkTo, parseKey, type Route } from "./route.ts";
import { Waterfall } from "./waterfall.tsx";

export function Load({ report, route: { params } }: { report: ReportView; route: Route }) {
  const place = parseKey(params.get("c"));
  const [data, setData] = useState<{ key: string; data: ConditionData } | null>(null);
  const key = place ? conditionKey(...place) : "";
  const run = place && report.runs[place[0]];
  const condition = run?.conditions[place![1]];
  useEffect(() => {
    if (place && condition) void load(`${place[0]}/${place[1]}`).then((loaded) => setData({ key, data: loaded }));
  }, [key, report]);
  if (!place || !run || !condition)
    return <p class="notice">The address names no load of this report; Compare leads to each.</p>;
  if (data?.key !== key) return <p class="reading">Reading…</p>;
  const at = Number(params.get("l"));
  const one = data.data.loads[at];
  if (!one) return <p class="notice">{conditionName(run, condition)} has no such load.</p>;
  return (
    <>
      <h1>
        {conditionName(run, condition)}: {one.ms === null ? "a failed try" : milliseconds(one.ms)}
      </h1>
      <Crumbs condition={key} at={at} data={data.data} one={one} />
      {one.reason !== null && <p class="bad">It does not count: {one.reason}</p>}
      {[...one.doubts, ...one.flags].map((words) => (
        <p key={words} class="bad">
          ‡ {words}
        </p>
      ))}
      {one.detail ? (
        <Detail detail={one.detail} data={data.data} name={`${condition.id}-${one.block}`} parts={run.parts} />
      ) : (
        <p class="notice">
          {one.reason === null
            ? `This folder keeps the evidence of blocks 1 to ${run.detailedBlocks}; loads.jsonl has this load's.`
            : "It left no evidence."}
        </p>
      )}
    </>
  );
}

function Crumbs({ condition, at, data, one }: { condition: string; at: number; data: ConditionData; one: LoadView }) {
  const to = (place: number, words: string) =>
    data.loads[place] && (
      <a href={linkTo("load", { c: condition, l: String(place) })} rel={place < at ? "prev" : "next"}>
        {words}
      </a>
    );
  return (
    <p class="crumbs">
      <span>
        block {one.block}, try {one.attempt}, lane {one.lane}, began{" "}
        {one.startedAt.replace("T", " ").replace("Z", " UTC")}
      </span>
      <a href={linkTo("compare", { a: condition })}>all loads of the condition</a>
      {to(at - 1, "← the load before")}
      {to(at + 1, "the next load →")}
    </p>
  );
}

function Detail({
  detail,
  data,
  name,
  parts,
}: {
  detail: LoadDetail;
  data: ConditionData;
  name: string;
  parts: RunView["parts"];
}) {
  return (
    <>
      <section class="panel">
        <Figure title="Requests by connection" name={`waterfall-${name}`}>
          <Waterfall detail={detail} paths={data.paths} />
        </Figure>
        <Moments detail={detail} />
        {detail.trace && <Packets detail={detail} trace={detail.trace} data={data} name={name} parts={parts} />}
      </section>
      <Proof detail={detail} data={data} />
      <Network detail={detail} data={data} />
    </>
  );
}

/** In the order in which they came, as the waterfall has them in lines. */
function Moments({ detail: { timing, paint } }: { detail: LoadDetail }) {
  const moments: [string, number | undefined][] = [
    ["first byte", timing.responseStart],
    ["first contentful paint", paint?.firstContentfulMs],
    ["DOM content loaded", timing.domContentLoadedEventStart],
    ["load event", timing.loadEventStart],
    ["largest contentful paint", paint?.largestContentfulMs],
  ];
  const known = moments.flatMap(([words, ms]) => (ms === undefined ? [] : [{ words, ms }]));
  return (
    <p>
      {known
        .sort((a, b) => a.ms - b.ms)
        .map(({ words, ms }) => `${words} ${milliseconds(ms)}`)
        .join(" · ")}
    </p>
  );
}

function Proof({ detail, data }: { detail: LoadDetail; data: ConditionData }) {
  const titles = new Map(data.values.map(({ name, title }) => [name, title]));
  return (
    <section class="panel">
      <h2>Its proof</h2>
      <div class="scroller">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">asked</th>
              <th scope="col">verdict</th>
              <th scope="col">seen</th>
            </tr>
          </thead>
          <tbody>
            {detail.proof.map(({ what, asked, seen, verdict, because }) => (
              <tr key={what}>
                <th scope="row" title={titles.get(what)}>
                  {what}
                </th>
                <td>{asked}</td>
                <td class={`verdict-${verdict}`}>{verdict}</td>
                <td>
                  {seen}
                  {because && <div class={`verdict-${verdict}`}>{because}</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Network({ detail: { flows, link }, data }: { detail: LoadDetail; data: ConditionData }) {
  return (
    <section class="panel">
      <h2>What its packets met</h2>
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
      <div class="scroller">
        <table class="list">
          <thead>
            <tr>
              <th scope="col">connection</th>
              <th scope="col" class="number">
                handshake, ms
              </th>
              <th scope="col" class="number">
                segments sent
              </th>
              <th scope="col" class="number">
                sent again
              </th>
              <th scope="col">server</th>
            </tr>
          </thead>
          <tbody>
            {flows.map(({ host, port, handshakeMs, sent, again, note }) => (
              <tr key={`${host}:${port}`}>
                <th scope="row">
                  port {port} to {host}
                </th>
                <td class="number">{handshakeMs === null ? "not seen whole" : figure(handshakeMs)}</td>
                <td class="number">{sent}</td>
                <td class="number">{again}</td>
                <td>{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
