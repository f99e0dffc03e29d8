import type { ProcessorEvidence } from "../../observe/processor.ts";
import type { Channel, Evidence, FlowEvidence, PacketEvidence } from "../../schema/model.ts";
import { tolerance } from "../../schema/tolerances.ts";

/** What a condition promises. */
export interface Expectation {
  /** Requests the page makes: each of its resources, once; and the bytes of all bodies. */
  requests: number;
  bodyBytes: number;
  /** The hosts the page is divided over, and where each listens: "s1.lab" -> "198.18.1.11:4432". */
  addresses: Record<string, string>;
  alpn: string;
  /** Connections a host may have, by the protocol. */
  connectionsPerHost: number;
  channel: Channel;
  initcwnd: number;
  congestion: string;
}

/** What contradicts the condition a load ran under; an empty list for a load that is a sample of it. */
export function contradictions(pageLoadMs: number, evidence: Evidence, expected: Expectation): string[] {
  const { packets, processor, metricsSaved, ended } = evidence;
  return [
    ...timeProblems(pageLoadMs, expected),
    ...browserProblems(evidence, expected),
    ...(packets
      ? [
          ...packetProblems(packets),
          ...packets.flows.flatMap((flow) => flowProblems(flow, expected)),
          ...connectionProblems(evidence, packets),
          ...rttProblems(packets, expected),
        ]
      : ["no packets were captured"]),
    ...(metricsSaved?.length
      ? [`TCP remembers earlier connections (tcp_no_metrics_save is not 1) on ${metricsSaved.join(", ")}`]
      : []),
    ...(processor ? processorProblems(processor) : ["the processor's use was not read"]),
    ...(ended ?? []).map((command) => `a part of the lab ended during the load: ${command}`),
  ];
}

/** Bytes over the rate and three round trips (TCP, TLS 1.3, the request): no network is faster. */
function timeProblems(pageLoadMs: number, { channel: { rttMs, downMbps }, bodyBytes }: Expectation): string[] {
  const floorMs = 3 * rttMs + (bodyBytes * 8) / (downMbps * 1000);
  return pageLoadMs >= floorMs ? [] : [`${pageLoadMs} ms is less than physics allows: ${Math.round(floorMs)} ms`];
}

function browserProblems(
  { requests, failed, fromCache, receivedBytes, connections }: Evidence,
  expected: Expectation,
): string[] {
  const problems: string[] = [];
  if (requests !== expected.requests) problems.push(`${requests} requests instead of ${expected.requests}`);
  if (failed > 0) problems.push(`${failed} requests failed`);
  if (fromCache > 0) problems.push(`${fromCache} responses from a cache`);
  const answered = connections.flatMap((connection) =>
    connection.requests.map(({ status }) => ({ status, protocol: connection.protocol })),
  );
  const other = answered.filter(({ protocol }) => protocol !== expected.alpn);
  if (other.length)
    problems.push(
      `${other.length} responses over ${[...new Set(other.map(({ protocol }) => protocol))].join(", ")} instead of ${expected.alpn}`,
    );
  const refused = answered.filter(({ status }) => status !== 200);
  if (refused.length)
    problems.push(
      `${refused.length} responses with status ${[...new Set(refused.map(({ status }) => status))].join(", ")}`,
    );
  if (answered.length !== expected.requests)
    problems.push(`${answered.length} responses instead of ${expected.requests}`);
  const asked = Object.keys(expected.addresses);
  const seen = [...new Set(connections.map(({ host }) => host))];
  if (seen.sort().join() !== asked.sort().join())
    problems.push(`hosts ${seen.join(", ")} instead of ${asked.join(", ")}`);
  for (const host of seen) {
    const own = connections.filter((connection) => connection.host === host);
    if (own.length > expected.connectionsPerHost)
      problems.push(`${own.length} connections to ${host}; ${expected.connectionsPerHost} expected`);
    for (const address of new Set(own.map((connection) => connection.address)))
      if (address !== expected.addresses[host])
        problems.push(`${host} answered from ${address} instead of ${expected.addresses[host]}`);
  }
  const shared = connections.find(({ id, host }) => connections.some((one) => one.id === id && one.host !== host));
  if (shared) problems.push(`connection ${shared.id} is shared by several hosts`);
  if (receivedBytes < expected.bodyBytes)
    problems.push(`${receivedBytes} bytes received; the page has ${expected.bodyBytes}`);
  return problems;
}

function packetProblems({ path, largestFrameBytes, missedFrames, foreign }: PacketEvidence): string[] {
  const problems: string[] = [];
  for (const [direction, { sentPackets, shapedPackets, forwardedPackets, arrivedPackets }] of Object.entries(path)) {
    const [sent, arrived] = [sentPackets, arrivedPackets].map(({ atLeast, atMost }) =>
      atLeast === atMost ? `${atLeast}` : `${atLeast} to ${atMost}`,
    );
    if (shapedPackets < sentPackets.atLeast)
      problems.push(
        `${direction}: ${sent} packets sent, ${shapedPackets} through the shaper: the others went around it, or were lost outside of it`,
      );
    if (shapedPackets > sentPackets.atMost)
      problems.push(`${direction}: ${shapedPackets} packets in the shaper, ${sent} sent`);
    if (forwardedPackets < arrivedPackets.atLeast || forwardedPackets > arrivedPackets.atMost)
      problems.push(`${direction}: ${forwardedPackets} packets left the shaper, ${arrived} arrived`);
  }
  if (largestFrameBytes > tolerance.frameBytes)
    problems.push(`a superpacket of ${largestFrameBytes} bytes: segmentation or receive offload (TSO, GSO, GRO) is on`);
  if (missedFrames > 0) problems.push(`captures missed ${missedFrames} frames`);
  if (foreign.length) problems.push(`packets that are not the load's: ${foreign.slice(0, 3).join("; ")}`);
  return problems;
}

function flowProblems({ host, clientPort, server }: FlowEvidence, expected: Expectation): string[] {
  if (!server || server.sentSegments === 0) return []; // a socket the browser opened and did not use
  const problems: string[] = [];
  const name = `connection ${clientPort} to ${host}`;
  const { tls, congestion, initcwnd } = server;
  if (tls !== "full")
    problems.push(`${name}: ${tls === "resumed" ? "a resumed TLS session" : "no full TLS 1.3 handshake"}`);
  if (congestion !== null && congestion !== expected.congestion)
    problems.push(`${name}: congestion control ${congestion} instead of ${expected.congestion}`);
  if (initcwnd && initcwnd.atLeast > expected.initcwnd)
    problems.push(
      `${name}: initcwnd at least ${initcwnd.atLeast} instead of ${expected.initcwnd}, by its first flights`,
    );
  if (initcwnd?.atMost != null && initcwnd.atMost < expected.initcwnd)
    problems.push(`${name}: initcwnd at most ${initcwnd.atMost} instead of ${expected.initcwnd}, by its first flights`);
  return problems;
}

/** Every connection the browser used must be in the captures: or its packets went another way. */
function connectionProblems({ connections }: Evidence, { flows }: PacketEvidence): string[] {
  const count = (all: { host: string }[], host: string) => all.filter((one) => one.host === host).length;
  return [...new Set(connections.map(({ host }) => host))]
    .filter(
      (host) =>
        count(
          flows.filter(({ server }) => server),
          host,
        ) < count(connections, host),
    )
    .map(
      (host) =>
        `the browser used ${count(connections, host)} connections to ${host}, the captures saw ${count(flows, host)}`,
    );
}

/** By the quickest handshake: the others may stand in a queue. */
function rttProblems({ flows }: PacketEvidence, { channel }: Expectation): string[] {
  const handshakes = flows.flatMap(({ handshakeMs }) => handshakeMs ?? []);
  if (handshakes.length === 0) return [];
  const quickest = Math.min(...handshakes);
  const { rttMs } = channel;
  if (quickest >= rttMs - tolerance.earlyMs && quickest <= rttMs + serialisationMs(channel) + tolerance.handshakeMs)
    return [];
  return [`the quickest handshake took ${quickest} ms; the RTT is ${rttMs} ms`];
}

const synBytes = 74; // SYN and SYN/ACK with their options, on Ethernet

/** What a handshake takes beyond the RTT: its two packets over the two rates. */
export const serialisationMs = ({ downMbps, upMbps }: Channel) =>
  (synBytes * 8) / 1000 / downMbps + (synBytes * 8) / 1000 / upMbps;

function processorProblems({ elapsedMs, otherMs, stealMs }: ProcessorEvidence): string[] {
  const problems: string[] = [];
  const hold = (what: string, ms: number, allowed: number) => {
    const cores = ms / elapsedMs;
    if (cores > allowed) problems.push(`${what} took ${cores.toFixed(2)} cores from the load; ${allowed} allowed`);
  };
  hold("other programs", otherMs, tolerance.otherCores);
  hold("other machines (steal)", stealMs, tolerance.stealCores);
  return problems;
}

/** What does not make a load wrong, but what it is a sample of: flagged in the tables. Empty for most. */
export function flags({ processor }: Pick<Evidence, "processor">): string[] {
  if (!processor) return [];
  const { labMs, otherMs, stealMs, elapsedMs, cores } = processor;
  const share = (labMs + otherMs + stealMs) / (elapsedMs * cores);
  return share > tolerance.busyShare ? [`CPU-bound: ${Math.round(share * 100)}% of ${cores} cores in use`] : [];
}
