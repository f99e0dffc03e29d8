import { z } from "zod";
import type { ConnectionEvidence } from "../schema/evidence.ts";
import { entryOf } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { mostConnections } from "./expected.ts";
import { shown, wholeNumber } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    connections: number | "own" | "each" | "in-turn";
  }
}

/**
 * Browsers open six connections to a host, and Chromium has no option to change that. Confirmed if the client used no more connections than
 * configured, and no request waited for a connection while fewer were open. With `in-turn`, no two requests may have been in progress at a time.
 */
export const axis = defineAxis({
  name: "connections",
  title:
    "how many HTTP/1.1 connections the client opens to a host; own: the client's usual number; each: a separate connection for each request; in-turn: like each, but the client makes one request at a time",
  example: "2",
  follows: "client",
  field: "connectionsPerHost",
  value: z.union([z.enum(["own", "each", "in-turn"]), wholeNumber(1, 1000)], {
    error: ({ input }) => `${shown(input)} is not one of own, each, in-turn, or a whole number from 1 to 1000`,
  }),
  default: "own",
  unknownBefore: "the lab could change the number of connections",
  label(most) {
    if (most === "each") return "a connection for each request";
    if (most === "in-turn") return "a connection for each request in turn";
    return most === 1 ? "1 connection" : `${most} connections`;
  },
  id: (most) => `connections-${most}`,
  sets: (most) => (most === "own" ? {} : { client: { connections: most } }),
  refuses(most, { protocol, client, keepAlive }, { protocols, clients }) {
    if (most === "own") return null;
    if (protocols[protocol]?.alpn !== "http/1.1")
      return `over ${protocol} all requests to a host share a connection; own is allowed`;
    const replays = clients[client]?.replays;
    if (!replays)
      return `client ${client} has no option for the number of connections; own is allowed, or any value with client replay`;
    if (replays.pipelines && typeof most === "string")
      return `client ${client} sends several requests over a connection; a number or own is allowed`;
    return keepAlive === "off" ? "without keep-alive no connection is reused; keepAlive=on is allowed" : null;
  },
  proves(most, all, { connections }, registries) {
    if (entryOf(registries.protocols, "protocols", all.protocol).alpn !== "http/1.1")
      return { notObservable: "all requests to a host share a connection" };
    if (all.keepAlive === "off") return { notObservable: "no connection is reused" };
    if (connections.some(({ id }) => id === null))
      return { notObservable: "the client does not report which connection carried a request" };
    const names = new Set(connections.map(({ host }) => host));
    const hosts = [...names].map((name) => connections.filter(({ host }) => host === name));
    const few = { notObservable: "no host has more requests at a time than connections" };
    if (most === "each" || most === "in-turn")
      return hosts.some((own) => own.flatMap(({ requests }) => requests).length > 1)
        ? verdictOf([...connections.flatMap(usedAgain), ...(most === "in-turn" ? atOnce(connections) : [])])
        : few;
    const limit = mostConnections(all, registries);
    const problems = most === "own" ? [] : hosts.flatMap((own) => wrongNumber(own, limit));
    if (problems.length) return { contradicts: problems };
    return hosts.some((own) => own.length === limit) ? "confirmed" : few;
  },
});

/** Returns a problem if a connection carried several requests, although each request should have had its own connection. */
export const usedAgain = ({ id, host, requests }: ConnectionEvidence): string[] =>
  requests.length > 1 ? [`connection ${id} to ${host} carried ${requests.length} requests; 1 expected`] : [];

function atOnce(connections: readonly ConnectionEvidence[]): string[] {
  const early = hasWaiting(connections.flatMap(({ requests }) => requests));
  return early ? ["several requests were in progress at a time; 1 expected"] : [];
}

function wrongNumber(own: readonly ConnectionEvidence[], limit: number): string[] {
  const { host } = own[0]!;
  if (own.length > limit) return [`${own.length} connections to ${host}; ${limit} configured`];
  const waited = own.some(({ requests }) => hasWaiting(requests));
  return own.length < limit && waited
    ? [`requests to ${host} waited for one of ${own.length} connections; ${limit} configured`]
    : [];
}

/** Whether a request was made before the previous request's response was complete. */
function hasWaiting(requests: ConnectionEvidence["requests"]): boolean {
  const inOrder = requests.toSorted((a, b) => a.startMs - b.startMs);
  return inOrder.some(({ startMs }, i) => i > 0 && startMs < (inOrder[i - 1]!.endMs ?? Number.POSITIVE_INFINITY));
}
