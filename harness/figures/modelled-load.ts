/** Describes a condition for models of page loads. */
import { bodiesByPath, learntOf, mostConnections } from "../../axes/expected.ts";
import { linkOf } from "../../axes/link-values.ts";
import type { ModelledRequest, PageLoad } from "../../models/model.ts";
import { fullSegmentBytes, lossPercentOf, queueOf } from "../../schema/link.ts";
import type { ConditionValues } from "../../schema/plan.ts";
import { entryOf, type Registries } from "../../schema/registries.ts";
import { objectHost, pagePath } from "../../sites/paths.ts";

/** @returns null if the initial window or the requests are unknown before a load, or if the rate varies */
export function modelledLoad(values: ConditionValues, growth: number, registries: Registries): PageLoad | null {
  const requests = requestsOf(values, registries);
  const { initcwnd, initrwnd, protocol: name } = values;
  if (requests === null || typeof initcwnd !== "number") return null;
  const link = linkOf(values, registries);
  if (link.trace) return null; // no model supports a rate that varies
  const { alpn, scheme, transport } = entryOf(registries.protocols, "protocols", name);
  return {
    protocol: { name, alpn, scheme, transport },
    requests,
    connectionsPerHost: mostConnections(values, registries),
    segmentBytes: fullSegmentBytes,
    rttMs: link.rttMs,
    downMbps: link.downMbps,
    upMbps: link.upMbps,
    lossPercent: lossPercentOf(link, "down"),
    queue: { down: queueOf(link, "down"), up: queueOf(link, "up") },
    initcwnd,
    initrwnd,
    growth,
  };
}

/** @returns null if the requests are unknown. An imported page's requests were learnt in an earlier load without loss. */
function requestsOf(values: ConditionValues, registries: Registries): ModelledRequest[] | null {
  const bodies = bodiesByPath(values, registries);
  if (bodies === null) {
    const learnt = learntOf(values, registries) ?? [];
    return learnt.length ? learnt.map(({ host, path, bytes }) => ({ host, path, bytes })) : null;
  }
  const document = pagePath({ name: values.page }, values.servers, values.protocol);
  const { [document]: html = 0, ...objects } = bodies;
  return [[document, html] as const, ...Object.entries(objects)].map(([path, bytes], index) => ({
    host: objectHost(index, values.servers),
    path,
    bytes,
  }));
}
