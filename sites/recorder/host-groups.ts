/** Groups names into hosts: over HTTP/2, names with the same address may share a connection if the certificate covers all of them. */
import type { RecordedHost } from "../recorded/recording.ts";
import type { SeenName } from "./seen-exchange.ts";

/** @param names the names in the order of their first requests */
export function hostsOf(names: readonly SeenName[]): RecordedHost[] {
  const groups: SeenName[][] = [];
  for (const one of names) {
    const group = groups.find(([first]) => first && sharesConnection(first, one));
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups.map((group) => ({ names: group.map(({ name }) => name), handshakeMs: shortestOf(group) }));
}

/** Whether requests to the second name may use an existing connection to the first name (RFC 9113, section 9.1.1). */
function sharesConnection({ endpoints: [connected], covered }: SeenName, { endpoints, name }: SeenName): boolean {
  return connected !== undefined && endpoints.includes(connected) && covered.some((one) => covers(one, name));
}

/** @param pattern a name in a certificate, which may begin with "*." (RFC 9525, section 6.3) */
export function covers(pattern: string, name: string): boolean {
  const hostname = name.replace(/:\d+$/, "").toLowerCase();
  const [, rest] = /^\*(\..+)$/.exec(pattern.toLowerCase()) ?? [];
  if (rest === undefined) return hostname === pattern.toLowerCase();
  return hostname.endsWith(rest) && /^[^.]+$/.test(hostname.slice(0, -rest.length));
}

function shortestOf(group: readonly SeenName[]): number | null {
  const known = group.flatMap(({ handshakeMs }) => (handshakeMs === null ? [] : [handshakeMs]));
  return known.length ? Math.min(...known) : null;
}
