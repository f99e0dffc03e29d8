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
  label: (page) => `Page ${page}`,
  known: ({ pages }) => Object.keys(pages),
  id: (page) => page,
  sets: (page) => ({ page: { name: page } }),
  proves(page, _, { requests, failed, receivedBytes, connections }, { pages }) {
    const expected = pages[page]!;
    const statuses = connections.flatMap((connection) => connection.requests.map(({ status }) => status));
    const refused = statuses.filter((status) => status !== 200);
    const problems: string[] = [];
    if (requests !== expected.requests) problems.push(`${requests} requests instead of ${expected.requests}`);
    if (failed > 0) problems.push(`${failed} requests failed`);
    if (refused.length) problems.push(`${refused.length} responses with status ${[...new Set(refused)].join(", ")}`);
    if (statuses.length !== expected.requests)
      problems.push(`${statuses.length} responses instead of ${expected.requests}`);
    if (receivedBytes < expected.bodyBytes)
      problems.push(`${receivedBytes} bytes received; the page has ${expected.bodyBytes}`);
    return verdictOf(problems);
  },
});
