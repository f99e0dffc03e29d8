import { pagePath } from "../pages/pages.ts";
import type { Values } from "../schema/plan.ts";
import type { Registries } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { name } from "./values.ts";

/** Proven by the requests that the client made, their answers' status and bytes. */
export const axis = defineAxis<string>({
  name: "page",
  title: "the page that is loaded (pages/)",
  example: "A",
  place: 10,
  field: "page",
  value: name,
  usual: "A",
  label: (page) => `Page ${page}`,
  known: ({ pages }) => Object.keys(pages),
  id: (page) => page,
  sets: (page) => ({ page: { name: page } }),
  proves(page, all, { requests, failed, receivedBytes, connections }, { pages }) {
    const expected = pages[page]!;
    const responses = connections.flatMap((connection) => connection.requests);
    const statuses = responses.map(({ status }) => status);
    const refused = statuses.filter((status) => status !== 200);
    const problems: string[] = [];
    if (requests !== expected.requests) problems.push(`${requests} requests instead of ${expected.requests}`);
    if (failed > 0) problems.push(`${failed} requests failed`);
    if (refused.length) problems.push(`${refused.length} responses with status ${[...new Set(refused)].join(", ")}`);
    if (statuses.length !== expected.requests)
      problems.push(`${statuses.length} responses instead of ${expected.requests}`);
    if (receivedBytes < expected.bodyBytes)
      problems.push(`${receivedBytes} bytes received; the page has ${expected.bodyBytes}`);
    return verdictOf([...problems, ...pathProblems(responses, bodiesOf(page, all, pages))]);
  },
});

/** What each of a page's paths has for a body, bytes: the objects, and the HTML of this condition; null in version 2. */
function bodiesOf(
  page: string,
  { servers, protocol }: Values,
  pages: Registries["pages"],
): Record<string, number> | null {
  const { bodyBytes, objects } = pages[page]!;
  if (!objects) return null;
  const html = pagePath({ name: page }, Number(servers), String(protocol));
  return { ...objects, [html]: bodyBytes - Object.values(objects).reduce((sum, bytes) => sum + bytes, 0) };
}

/** Each path is the page's, is asked for once, and is answered with all of its bytes. */
function pathProblems(responses: { path: string; bytes: number }[], bodies: Record<string, number> | null): string[] {
  const seen = new Set<string>();
  return responses.flatMap(({ path, bytes }) => {
    const twice = seen.has(path);
    seen.add(path);
    if (twice) return [`${path} was asked for twice`];
    if (!bodies) return [];
    const body = bodies[path];
    if (body === undefined) return [`${path} is not the page's`];
    return bytes >= body ? [] : [`${path} came with ${bytes} bytes, and has ${body}`];
  });
}
