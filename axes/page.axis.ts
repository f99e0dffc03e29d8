import type { Evidence } from "../schema/evidence.ts";
import type { ConditionValues } from "../schema/plan.ts";
import { hostAndPathOf, recordedOf } from "../schema/recorded-names.ts";
import { entryOf, type GeneratedPage, isImported, type LearntRequest, type Registries } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { bodiesByPath, bodyBytesOf, isRepeat, keptPaths, learntOf } from "./expected.ts";
import { name } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    page: string;
  }
}

/** Confirmed by the client's requests, and their responses' hosts, status and bytes. */
export const axis = defineAxis({
  name: "page",
  title: "the page that is loaded (pages/)",
  example: "A",
  follows: null,
  field: "page",
  value: name,
  usual: "A",
  label: (page) => `Page ${page}`,
  known: ({ pages }) => Object.keys(pages),
  id: (page) => page,
  sets: (page) => ({ page: { name: page } }),
  refuses(page, all, registries) {
    const { client } = all;
    const { pages, clients } = registries;
    const drivenBy = clients[client]?.drivenBy;
    return (
      recordedProblem(page, all, registries) ??
      (drivenBy && pages[page] && isImported(pages[page])
        ? `for client ${client}, ${drivenBy} does not report which requests the load event waits for, so loads of an imported page cannot be checked; the lab's own pages are allowed`
        : null)
    );
  },
  proves(page, all, evidence, registries) {
    const entry = entryOf(registries.pages, "pages", page);
    return verdictOf(
      isImported(entry)
        ? importedPageProblems(page, evidence, learntOf(all, registries)!, registries)
        : generatedProblems(entry, evidence, all, registries),
    );
  },
});

/** Returns why a recorded page cannot be loaded in this condition, or why a server of recorded pages cannot serve another page. */
function recordedProblem(
  page: string,
  { server, client, protocol, view }: ConditionValues,
  { pages, servers, clients, protocols }: Registries,
): string | null {
  const recorded = recordedOf(page, { pages });
  const isReplay = servers[server]?.replays === true;
  if (!pages[page] || !servers[server]) return null;
  if (!recorded) return isReplay ? `server ${server} serves only recorded pages` : null;
  if (!isReplay) {
    const able = Object.keys(servers).filter((name) => servers[name]?.replays);
    return `page ${page} was recorded under its own host names, which server ${server} does not have; allowed: ${able.join(", ")}`;
  }
  if (clients[client]?.drivenBy || clients[client]?.replays)
    return `page ${page} was recorded under its own host names, which client ${client} cannot resolve; chromium and chrome are allowed`;
  if (view === "repeat") return `page ${page} was recorded in a first view; view=first is allowed`;
  return protocols[protocol]?.scheme === "http" && recorded.url.startsWith("https:")
    ? `page ${page} was recorded over TLS, so its URLs begin with https:, and ${protocol} cannot serve them`
    : null;
}

type Answer = Evidence["connections"][number]["requests"][number] & { host: string; cached?: true };

const answersOf = ({ connections }: Evidence): Answer[] =>
  connections.flatMap(({ host, requests }) => requests.map((request) => ({ ...request, host })));

const notModified = 304;

function generatedProblems(
  page: GeneratedPage,
  evidence: Evidence,
  all: ConditionValues,
  registries: Registries,
): string[] {
  const { requests, failed, receivedBytes } = evidence;
  const responses = answersOf(evidence);
  const kept = keptPaths(all, registries);
  const expected = { requests: page.requests - kept.length, bodyBytes: bodyBytesOf(all, registries) };
  const statuses = responses.map(({ status }) => status);
  const refused = statuses.filter((status) => status !== 200 && !(isRepeat(all) && status === notModified));
  const problems: string[] = [];
  if (requests !== expected.requests) problems.push(`${requests} requests instead of ${expected.requests}`);
  if (failed > 0) problems.push(`${failed} requests failed`);
  if (refused.length) problems.push(`${refused.length} responses with status ${[...new Set(refused)].join(", ")}`);
  if (statuses.length !== expected.requests)
    problems.push(`${statuses.length} responses instead of ${expected.requests}`);
  if (receivedBytes < expected.bodyBytes)
    problems.push(`${receivedBytes} bytes received; the page has ${expected.bodyBytes}`);
  const late = responses.filter(({ nonBlocking }) => nonBlocking);
  if (late.length) problems.push(`the load event did not wait for ${late.map(({ path }) => path).join(", ")}`);
  problems.push(...keptProblems(evidence, kept));
  return [...problems, ...pathProblems(responses, bodiesByPath(all, registries))];
}

/** Checks that each path that the cache keeps came from the cache once, and that no other path came from the cache. */
function keptProblems({ cached = [] }: Evidence, kept: string[]): string[] {
  if (kept.length === 0) return []; // in a first view the axis `view` checks that nothing came from a cache
  const taken = cached.map(({ path }) => path);
  const [asked, unasked] = [new Set(kept), new Set(taken)];
  const other = taken.filter((path, i) => !asked.has(path) || taken.indexOf(path) !== i);
  const missing = kept.filter((path) => !unasked.has(path));
  return [
    ...other.map((path) => `${path} came from the cache, but must not`),
    ...cached.flatMap(({ path, status }) =>
      status === 200 ? [] : [`${path} came from the cache with status ${status}`],
    ),
    ...missing.map((path) => `${path} did not come from the cache`),
  ];
}

/** Checks that each path belongs to the page and was requested once, and that its response has all its bytes. */
function pathProblems(responses: Answer[], bodies: Record<string, number> | null): string[] {
  const seen = new Set<string>();
  return responses.flatMap(({ path, bytes }) => {
    const twice = seen.has(path);
    seen.add(path);
    if (twice) return [`${path} was requested twice`];
    if (!bodies) return [];
    const body = bodies[path];
    if (body === undefined) return [`${path} does not belong to the page`];
    return bytes >= body ? [] : [`${path} came with ${bytes} bytes instead of ${body}`];
  });
}

const placeOf = ({ host, path }: LearntRequest | Answer) => `${host}${path}`;

const answerOf = ({ host, path, status, failed, cached }: LearntRequest | Answer) =>
  `${host}${path} (${status}${failed ? ", cancelled" : ""}${cached ? ", from the cache" : ""})`;

/**
 * A load must repeat each request of the page's markup that was learnt before the run: as often, to the same host, with the same status.
 * The load may make other requests only if the load event does not wait for them, or if style sheets make them, because the time at which
 * a font is requested varies. A request that has no response when the load ends still counts as made.
 */
function importedPageProblems(
  page: string,
  evidence: Evidence,
  learnt: readonly LearntRequest[],
  { hosts }: Registries,
): string[] {
  const missing = new Map<string, LearntRequest[]>();
  for (const one of learnt) missing.set(answerOf(one), [...(missing.get(answerOf(one)) ?? []), one]);
  const answers = answersOf(evidence);
  const broken: string[] = [];
  const problems = [...answers, ...cachedAnswers(evidence), ...hiddenAnswers(evidence, hosts)].flatMap((answer) => {
    // A request that the page cancelled in the load that learnt it may complete in this load.
    const same = [answer, { ...answer, failed: true as const }].map((one) => missing.get(answerOf(one)) ?? []);
    const [expected] = same.find((some) => some.length > 0)?.splice(0, 1) ?? [];
    // Non-blocking requests and requests of style sheets need not be among the learnt ones, and their responses may be incomplete.
    if (answer.nonBlocking || (!expected && answer.initiator === "style")) return [];
    if (!expected && isAskedAgain(answer, answers)) return [];
    const unanswered = expected ? undefined : sameWithAnswer(answer, missing.values());
    if (unanswered?.shift()) {
      broken.push(`${placeOf(answer)} was requested, but not answered`);
      return [];
    }
    if (!expected) return [`it requested ${answerOf(answer)}, which was not learnt`];
    if (answer.failed || answer.endMs === null || answer.bytes >= expected.bytes || expected.stopped) return [];
    return [`${answer.path} came with ${answer.bytes} bytes instead of ${expected.bytes}`];
  });
  const late = new Set(hiddenAnswers(evidence, hosts).flatMap((one) => (one.nonBlocking ? placeOf(one) : [])));
  const gone = [...missing.values()]
    .flat()
    .filter((one) => !one.optional && !late.has(placeOf(one)))
    .map((one) => `${answerOf(one)} was learnt, but not requested`);
  const varies =
    problems.length || gone.length ? [`page ${page} requests something else than it did when it was learnt`] : [];
  return [...broken, ...varies, ...problems, ...gone];
}

/** If a request has no response in this load, finds the learnt requests for the same file. */
const sameWithAnswer = (answer: Answer, learnt: Iterable<LearntRequest[]>): LearntRequest[] | undefined =>
  answer.failed && answer.status === 0
    ? [...learnt].find(([one]) => one !== undefined && placeOf(one) === placeOf(answer))
    : undefined;

/** Whether an answer revalidates a file that this load has received: clients revalidate a file that a page names again after the first response. */
const isAskedAgain = (answer: Answer, all: readonly Answer[]): boolean =>
  answer.status === notModified && all.some((one) => one.status === 200 && placeOf(one) === placeOf(answer));

const cachedAnswers = ({ cached = [] }: Evidence): Answer[] =>
  cached.map(({ caching: _, ...answer }) => ({
    ...answer,
    bytes: 0,
    startMs: 0,
    endMs: null,
    cached: true,
  }));

/** Unanswered requests to the lab's hosts. Requests to hosts outside the lab may fail. */
function hiddenAnswers({ unanswered = [] }: Evidence, hosts: Registries["hosts"]): Answer[] {
  const own = new Set(hosts.map(({ name: host }) => host));
  return unanswered.flatMap(({ url, nonBlocking }) => {
    const { host, path } = hostAndPathOf(url);
    const none = { host, path, status: 0, bytes: 0, startMs: 0, endMs: null, failed: true } as const;
    return own.has(host) ? [{ ...none, ...(nonBlocking ? { nonBlocking } : {}) }] : [];
  });
}
