import { announcementOf, announcingAlpn, type Discovery, discoveries } from "../schema/discovery.ts";
import type { ConnectionEvidence, Evidence } from "../schema/evidence.ts";
import { standardWindow } from "../schema/linux.ts";
import { entryOf } from "../schema/registries.ts";
import { tolerance } from "../schema/tolerances.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { isOverQuic } from "./flows.ts";
import { oneOf } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    discovery: Discovery;
  }
}

/**
 * Unless HTTP/3 is forced, the browser decides when to switch from HTTP/2: how many requests go over HTTP/3 is a result, not part of the
 * condition. Confirmed by the protocols and Alt-Svc headers of the responses in the load and in an earlier visit, if there was one.
 */
export const axis = defineAxis({
  name: "discovery",
  title:
    "how the browser finds HTTP/3; forced: an option tells it; alt-svc: this load's responses announce it; remembered: an earlier visit's responses announced it",
  example: "alt-svc",
  follows: "protocol",
  field: "discovery",
  value: oneOf(discoveries),
  default: "forced",
  unknownBefore: "the lab had more than one way to find HTTP/3",
  label: (discovery) => (discovery === "alt-svc" ? "by Alt-Svc" : discovery),
  id: (discovery) => discovery,
  sets: (discovery) => (discovery === "forced" ? {} : { client: { discovery }, server: { announces: true } }),
  needs: (discovery) => (discovery === "forced" ? null : "announces"),
  refuses(discovery, all, registries) {
    if (discovery === "forced") return null;
    const { protocol, client, view, handshake, initcwnd } = all;
    const drivenBy = registries.clients[client]?.drivenBy;
    if (!isOverQuic(all, registries))
      return `${protocol} needs no announcement; only forced, which changes nothing, is allowed`;
    if (initcwnd !== standardWindow)
      return `the load's TCP connections would have another initial window than its QUIC connections; initcwnd ${standardWindow} is allowed`;
    if (discovery === "alt-svc" && (view === "repeat" || handshake !== "full"))
      return "with view=repeat, or a handshake other than full, an earlier visit would already have received the announcement; allowed: view=first with handshake=full, or remembered with view=repeat";
    if (discovery === "remembered" && view === "first" && handshake !== "full")
      return "emptying the cache after an earlier visit would make the browser forget the announcement; view=repeat (which keeps the cache) or handshake=full is allowed";
    return discovery === "remembered" && drivenBy
      ? `${drivenBy} cannot empty the cache of client ${client} between two visits; forced and alt-svc are allowed`
      : null;
  },
  proves(discovery, all, evidence, registries) {
    if (!isOverQuic(all, registries)) return { notObservable: "only HTTP/3 has to be found" };
    const { alpn, port } = entryOf(registries.protocols, "protocols", all.protocol);
    const { connections, earlier } = evidence;
    if (discovery === "alt-svc")
      return verdictOf([
        ...(earlier ? ["there was an earlier visit, which may have received the announcement"] : []),
        ...unannounced(connections, announcementOf(port)),
        ...tooEarly(connections, alpn),
      ]);
    const others = connections.filter(({ protocol }) => protocol !== alpn).length;
    if (discovery === "forced")
      return verdictOf([
        ...(others ? [`${others} connections over another protocol than ${alpn}, which is forced`] : []),
        ...(earlier?.responses[announcingAlpn] ? ["the earlier visit used HTTP/2 until HTTP/3 was announced"] : []),
      ]);
    return verdictOf([...untold(earlier, announcementOf(port)), ...unannounced(connections, announcementOf(port))]);
  },
});

const unannounced = (connections: readonly ConnectionEvidence[], announcement: string): string[] =>
  connections.flatMap(({ host, protocol, altSvc = [] }) =>
    protocol !== announcingAlpn || altSvc.join() === announcement
      ? []
      : [`responses of ${host} over ${protocol} announced "${altSvc.join()}" instead of "${announcement}"`],
  );

function tooEarly(connections: readonly ConnectionEvidence[], alpn: string): string[] {
  return [...new Set(connections.map(({ host }) => host))].flatMap((host) => {
    const over = (protocol: string) =>
      connections.flatMap((one) => (one.host === host && one.protocol === protocol ? one.requests : []));
    const toldMs = Math.min(...over(announcingAlpn).map(({ answeredMs, startMs }) => answeredMs ?? startMs));
    const early = over(alpn).filter(({ sentMs, startMs }) => (sentMs ?? startMs) < toldMs - tolerance.earlyMs);
    return early.length
      ? [`${early.length} requests to ${host} went over ${alpn} before a response over ${announcingAlpn} announced it`]
      : [];
  });
}

/** Checks that the earlier visit used HTTP/2, which shows that HTTP/3 was not forced, and that its responses announced HTTP/3. */
function untold(earlier: Evidence["earlier"], announcement: string): string[] {
  if (!earlier) return ["the evidence has no earlier visit"];
  const { responses, altSvc } = earlier;
  return [
    ...(responses[announcingAlpn] ? [] : [`no response of the earlier visit came over ${announcingAlpn}`]),
    ...(altSvc.join() === announcement
      ? []
      : [`the earlier visit's responses announced "${altSvc.join()}" instead of "${announcement}"`]),
  ];
}
