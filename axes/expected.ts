/** What a load of a condition must be answered with, by its page: as it was made, or as it was learnt. */
import { pagePath, variantName } from "../pages/paths.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { isImported, type LearntRequest, type Registries } from "../schema/registries.ts";

/** Of a condition, what its page's requests depend on: "2-h2-nginx-chromium". A server's headers say what a client may use twice. */
export const learntAs = ({ servers, protocol, server, client, view }: ConditionValues): string =>
  `${variantName(servers, protocol)}-${server}-${client}${view === "repeat" ? "-repeat" : ""}`;

/** Of such a view the client has all but the document, and asks whether that has changed. */
export const isRepeat = ({ view }: ConditionValues): boolean => view === "repeat";

/** What was learnt of an imported page for this condition. */
export function learntOf(values: ConditionValues, { pages }: Registries): readonly LearntRequest[] | null {
  const entry = pages[values.page]!;
  return isImported(entry) ? (entry.learnt[learntAs(values)] ?? []) : null;
}

/** All bodies that a load must receive, bytes. */
export function bodyBytesOf(values: ConditionValues, registries: Registries): number {
  const entry = registries.pages[values.page]!;
  const learnt = learntOf(values, registries)?.filter(({ optional, failed }) => !optional && !failed);
  if (isImported(entry)) return sum(learnt!.map(({ bytes }) => bytes));
  return isRepeat(values) ? 0 : entry.bodyBytes;
}

/** What each path that is asked for has for a body, bytes, of a generated page: the objects, and the HTML of this condition; null in version 2. */
export function bodiesByPath(values: ConditionValues, { pages }: Registries): Record<string, number> | null {
  const entry = pages[values.page]!;
  if (isImported(entry) || !entry.objects) return null;
  const html = pagePath({ name: values.page }, values.servers, values.protocol);
  if (isRepeat(values)) return { [html]: 0 };
  return { ...entry.objects, [html]: entry.bodyBytes - sum(Object.values(entry.objects)) };
}

/** Of a generated page, the paths that a client has kept. */
export function keptPaths(values: ConditionValues, { pages }: Registries): string[] {
  const entry = pages[values.page]!;
  return isRepeat(values) && !isImported(entry) ? Object.keys(entry.objects ?? {}) : [];
}

/** The longest body of a generated page, bytes; null in version 2, which did not keep it, and of an imported page. */
export function largestBodyOf(values: ConditionValues, registries: Registries): number | null {
  const bodies = bodiesByPath(values, registries);
  return bodies && Math.max(0, ...Object.values(bodies));
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
