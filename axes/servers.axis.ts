import type { ConditionValues } from "../schema/plan.ts";
import { entryOf, type Registries } from "../schema/registries.ts";
import { startFile } from "../sites/paths.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { learntOf } from "./expected.ts";
import { wholeNumber } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    servers: number;
  }
}

/**
 * Confirmed by the hosts that responded, and their addresses. An imported page's other HTML files may need fewer hosts than its start
 * file; for them, the hosts of the learnt requests must have responded.
 */
export const axis = defineAxis({
  name: "servers",
  title: "how many hosts the page's objects are divided over",
  example: "4",
  follows: "page",
  field: "servers",
  value: wholeNumber(1, 100),
  usual: 1,
  label: (count) => (count === 1 ? "1 server" : `${count} servers`),
  known: ({ hosts }) => hosts.map((_, i) => i + 1),
  id: (count) => `${count}s`,
  sets: (count) => ({ page: { hosts: count } }),
  proves(count, all, { connections, cached = [] }, registries) {
    const { hosts, protocols } = registries;
    const { protocol } = all;
    const expected = new Map(
      hosts
        .slice(0, count)
        .map(({ name, address }) => [name, `${address}:${entryOf(protocols, "protocols", protocol).port}`]),
    );
    const seen = [...new Set([...connections, ...cached].map(({ host }) => host))].sort();
    const mayLack = neverAwaited(all, registries);
    const asked = (askedHosts(all, registries) ?? [...expected.keys()].sort()).filter(
      (host) => seen.includes(host) || !mayLack.has(host),
    );
    const elsewhere = seen.flatMap((host) => {
      const addresses = new Set(connections.filter((one) => one.host === host).map(({ address }) => address));
      return [...addresses]
        .filter((address) => address !== null && address !== expected.get(host)) // null if not reported; packets have the address
        .map((address) => `${host} answered from ${address} instead of ${expected.get(host)}`);
    });
    return verdictOf([
      ...(seen.join() === asked.join() ? [] : [`hosts ${seen.join(", ")} instead of ${asked.join(", ")}`]),
      ...elsewhere,
    ]);
  },
});

/** Finds the hosts that get only requests that the load event does not wait for. A load may end before it sends a request to them. */
function neverAwaited(all: ConditionValues, registries: Registries): Set<string> {
  const learnt = learntOf(all, registries) ?? [];
  const awaited = new Set(learnt.filter(({ optional }) => !optional).map(({ host }) => host));
  return new Set(learnt.map(({ host }) => host).filter((host) => !awaited.has(host)));
}

/** The hosts of the requests that were learnt; null for the start file, for which all hosts are needed. */
function askedHosts(all: ConditionValues, registries: Registries): string[] | null {
  if ((all.document ?? startFile) === startFile) return null;
  const learnt = learntOf(all, registries) ?? [];
  return [...new Set(learnt.map(({ host }) => host))].sort();
}
