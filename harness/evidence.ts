import type { Evidence } from "./model.ts";

export interface Expectation {
  /** Requests the page makes: each of its resources, once. */
  requests: number;
  /** Hosts the page is divided over. */
  hosts: string[];
  alpn: string;
  /** Bytes of all bodies. */
  bodyBytes: number;
  /** Bytes over the rate and three round trips (TCP, TLS 1.3, the request): no network is faster. */
  floorMs: number;
  /** Connections a host may have, by the protocol. */
  connectionsPerHost: number;
}

/** What contradicts the condition a load ran under; an empty list for a load that is a sample of it. */
export function contradictions(pageLoadMs: number, evidence: Evidence, expected: Expectation): string[] {
  const problems: string[] = [];
  const { requests, failed, fromCache, protocols, connections, receivedBytes } = evidence;
  if (requests !== expected.requests) problems.push(`${requests} requests instead of ${expected.requests}`);
  if (failed > 0) problems.push(`${failed} requests failed`);
  if (fromCache > 0) problems.push(`${fromCache} responses from a cache`);
  const answered = Object.values(protocols).reduce((sum, count) => sum + count, 0);
  if (answered !== expected.requests || protocols[expected.alpn] !== answered)
    problems.push(`protocols ${JSON.stringify(protocols)} instead of {"${expected.alpn}":${expected.requests}}`);
  if (Object.keys(connections).sort().join() !== [...expected.hosts].sort().join())
    problems.push(`hosts ${Object.keys(connections).join(", ")} instead of ${expected.hosts.join(", ")}`);
  for (const [host, count] of Object.entries(connections))
    if (count > expected.connectionsPerHost) problems.push(`${count} connections to ${host}; ${expected.connectionsPerHost} expected`);
  if (receivedBytes < expected.bodyBytes) problems.push(`${receivedBytes} bytes received; the page has ${expected.bodyBytes}`);
  if (!(pageLoadMs >= expected.floorMs)) problems.push(`${pageLoadMs} ms is less than physics allows: ${Math.round(expected.floorMs)} ms`);
  return problems;
}
