/** What the client says of its requests, altered. */
import type { Evidence } from "../../schema/evidence.ts";
import { type Forgery, onEvidence } from "./forgery.ts";

const requestsOf = ({ connections }: Evidence) => connections.flatMap(({ requests }) => requests);
export const requests: Forgery[] = [
  onEvidence(
    "a request left out",
    (evidence) => {
      const [{ requests: all } = { requests: [] }] = evidence.connections;
      evidence.receivedBytes -= all.pop()!.bytes;
      evidence.requests--;
    },
    /\d+ requests instead of \d+/,
  ),
  onEvidence(
    "a request twice, another left out",
    (evidence) => {
      const [, one, other] = requestsOf(evidence);
      other!.path = one!.path;
    },
    /was asked for twice/,
  ),
  onEvidence(
    "a request for something that the page has not",
    (evidence) => void (requestsOf(evidence)[1]!.path = "/A/none.gif"),
    /\/A\/none\.gif is not the page's/,
  ),
  onEvidence(
    "an answer that says not found",
    (evidence) => void (requestsOf(evidence)[1]!.status = 404),
    /1 responses with status 404/,
  ),
  onEvidence(
    "an answer with half of its bytes, and the sum of all",
    (evidence) => {
      const one = requestsOf(evidence)[1]!;
      one.bytes = Math.floor(one.bytes / 2);
      evidence.receivedBytes = requestsOf(evidence).reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /came with \d+ bytes, and has/,
  ),
  onEvidence(
    "more received than the requests' sum",
    (evidence) => void (evidence.receivedBytes += 9),
    /its requests received \d+ bytes, the client says/,
  ),
  onEvidence(
    "more received than came through the link",
    (evidence) => {
      requestsOf(evidence)[1]!.bytes += 10_000_000;
      evidence.receivedBytes += 10_000_000;
    },
    /and \d+ came through the link/,
  ),
  onEvidence(
    "an answer whose end never came",
    (evidence) => void (requestsOf(evidence)[1]!.endMs = null),
    /the last byte of .* never came/,
  ),
  onEvidence(
    "an answer in less than a round trip",
    (evidence) => {
      const one = requestsOf(evidence)[1]!;
      one.startMs = one.endMs! - 50;
    },
    /took 50\.0 ms from/,
  ),
  onEvidence(
    "an answer that is said to have been kept",
    (evidence) => {
      const [{ host, requests: all } = { host: "", requests: [] }] = evidence.connections;
      const { path, bytes } = all.pop()!;
      evidence.receivedBytes -= bytes;
      evidence.requests--;
      evidence.cached = [{ host, path, status: 200, caching: "max-age=31536000" }];
    },
    /1 responses from a cache/,
  ),
  onEvidence(
    "a page that was slowed down",
    (evidence) => void (evidence.slowdown = { slowedMs: 40, plainMs: 10 }),
    /the page was slowed down, and its processor was to be as it is/,
  ),
  onEvidence("a response from a cache", (evidence) => void (evidence.fromCache = 1), /1 responses from a cache/),
  onEvidence("a request that failed", (evidence) => void (evidence.failed = 1), /1 requests failed/),
  onEvidence(
    "an answer over another protocol",
    ({ connections }) => void (connections[0]!.protocol = "h2"),
    /responses over h2 instead of http\/1\.1/,
  ),
  onEvidence(
    "an answer from another address",
    ({ connections }) => void (connections[0]!.address = "198.18.1.12:4431"),
    /s1\.lab answered from 198\.18\.1\.12/,
  ),
  onEvidence(
    "another server's name",
    ({ connections }) => void (connections[0]!.software = ["node"]),
    /s1\.lab calls itself node instead of nginx/,
  ),
  onEvidence(
    "no server's name",
    ({ connections }) => void (connections[0]!.software = []),
    /s1\.lab calls itself nothing/,
  ),
  onEvidence(
    "another version of the client",
    (evidence) => {
      evidence.userAgent = evidence.userAgent!.replace(/Chrome\/\d+/, "Chrome/99");
    },
    /the client calls itself .* its lane's is of version/,
  ),
  onEvidence(
    "a connection too many",
    ({ connections }) => {
      const [first] = connections;
      const moved = { ...first!, id: 9999, requests: first!.requests.splice(1) };
      for (let i = 0; i < 6; i++) connections.push({ ...moved, id: 9999 + i, requests: i === 0 ? moved.requests : [] });
    },
    /connections to s1\.lab; 6 expected/,
  ),
];
