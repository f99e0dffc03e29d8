import type { Evidence, RequestEvidence } from "../../../schema/evidence.ts";

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the requests for the page's document: redirects, which a recorded page may have, then the document itself. A browser sends the request
 * that follows a redirect at exactly the time that it reports as the redirect's end. Empty if no request started at 0 ms.
 */
export function documentRequests(requests: readonly RequestEvidence[]): RequestEvidence[] {
  const chain: RequestEvidence[] = [];
  let next = requests.find(({ startMs }) => startMs === 0);
  while (next && !chain.includes(next)) {
    chain.push(next);
    const { status, endMs } = next;
    next = redirects.has(status) ? requests.find((one) => one.startMs === endMs && !chain.includes(one)) : undefined;
  }
  return chain;
}

/** Whether the document came over a connection that an earlier redirect had used. */
export function documentReusesConnection({ connections }: Pick<Evidence, "connections">): boolean {
  const chain = documentRequests(connections.flatMap(({ requests }) => requests));
  const document = chain.at(-1);
  const idOf = (request: RequestEvidence | undefined) =>
    connections.find(({ requests }) => request && requests.includes(request))?.id;
  return chain.slice(0, -1).some((one) => idOf(one) === idOf(document));
}
