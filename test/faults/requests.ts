/** Faults in the client's report of its requests: values are altered. */
import type { Evidence } from "../../schema/evidence.ts";
import type { GoodLoad } from "../../schema/records.ts";
import { connectionFaults } from "./connections.ts";
import { type Fault, onEvidence } from "./fault.ts";

/** Loads from two hosts over HTTP/2, like the unit tests' sample. */
const ofTwoHosts = ({ servers, protocol }: GoodLoad) => servers === 2 && protocol === "h2";
const requestsOf = ({ connections }: Evidence) => connections.flatMap(({ requests }) => requests);
export const requests: Fault[] = [
  onEvidence(
    "a request removed",
    (evidence) => {
      const [{ requests: all } = { requests: [] }] = evidence.connections;
      evidence.receivedBytes -= all.pop()!.bytes;
      evidence.requests--;
    },
    /\d+ requests instead of \d+/,
  ),
  onEvidence(
    "a request listed twice, in place of another request",
    (evidence) => {
      const [, one, other] = requestsOf(evidence);
      other!.path = one!.path;
    },
    /was requested twice/,
    { notInSample: true },
  ),
  onEvidence(
    "a request for a file that the page lacks",
    (evidence) => void (requestsOf(evidence)[1]!.path = "/A/none.gif"),
    /\/A\/none\.gif does not belong to the page/,
  ),
  onEvidence(
    "a 404 response",
    (evidence) => void (requestsOf(evidence)[1]!.status = 404),
    /1 responses with status 404/,
  ),
  onEvidence(
    "half of a response's bytes removed, also from the sum",
    (evidence) => {
      const one = requestsOf(evidence)[1]!;
      one.bytes = Math.floor(one.bytes / 2);
      evidence.receivedBytes = requestsOf(evidence).reduce((sum, { bytes }) => sum + bytes, 0);
    },
    /came with \d+ bytes instead of/,
  ),
  onEvidence(
    "more bytes received than the requests' sum",
    (evidence) => void (evidence.receivedBytes += 9),
    /its requests received \d+ bytes, the client reports/,
  ),
  onEvidence(
    "more bytes received than came through the link",
    (evidence) => {
      requestsOf(evidence)[1]!.bytes += 10_000_000;
      evidence.receivedBytes += 10_000_000;
    },
    /but only \d+ came through the link/,
  ),
  onEvidence(
    "a response whose end never arrived",
    (evidence) => void (requestsOf(evidence)[1]!.endMs = null),
    /the last byte of .* never arrived/,
  ),
  onEvidence(
    "a response in less than a round trip",
    (evidence) => {
      const one = requestsOf(evidence)[1]!;
      one.startMs = one.endMs! - 50;
    },
    /took 50\.0 ms from/,
  ),
  onEvidence(
    "a response marked as cached",
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
    "a page that is slowed down although no slowdown is configured",
    (evidence) => void (evidence.slowdown = { slowedMs: 40, plainMs: 10 }),
    /the page was slowed down, but the condition has no slowdown/,
  ),
  onEvidence("a response from a cache", (evidence) => void (evidence.fromCache = 1), /\d+ responses from a cache/, {
    inLab: connectionFaults.sharedCache,
  }),
  onEvidence(
    "a server that answers over HTTP/1.1 instead of HTTP/2",
    ({ connections }) => {
      for (const connection of connections) connection.protocol = "http/1.1";
    },
    /\d+ responses over http\/1\.1 instead of h2/,
    { isVictim: ofTwoHosts, inLab: connectionFaults.otherProtocol },
  ),
  onEvidence(
    "one HTTP/2 connection for two hosts whose names have one address (coalescing)",
    ({ connections }) => void (connections[1]!.id = connections[0]!.id),
    /connection \d+ is shared by several hosts/,
    { isVictim: ofTwoHosts, inLab: connectionFaults.coalescing },
  ),
  onEvidence(
    "a host from which nothing is requested",
    ({ connections }) => void connections.pop(),
    /hosts s1\.lab instead of s1\.lab, s2\.lab/,
    { isVictim: ofTwoHosts },
  ),
  onEvidence(
    "the user agent of another client",
    (evidence) => void (evidence.userAgent = "curl/8"),
    /the client's user-agent is curl\/8/,
  ),
  onEvidence(
    "the user agent of another Chromium program",
    (evidence) => void (evidence.userAgent = "Mozilla/5.0 HeadlessChrome/156.0.0.0 Safari/537.36"),
    /the client's user-agent is .*156\.0\.0\.0 Safari/,
  ),
  onEvidence(
    "one request too many in the count",
    (evidence) => void evidence.requests++,
    /\d+ requests instead of \d+/,
  ),
  onEvidence(
    "fewer bytes received than the page has",
    (evidence) => void (evidence.receivedBytes = 100),
    /100 bytes received; the page has/,
  ),
  onEvidence(
    "an older TLS version in the client's report",
    ({ connections }) => {
      for (const connection of connections) connection.tls = { version: "TLS 1.2", group: "X25519" };
    },
    /TLS 1\.2 instead of 1\.3, by the client/,
    { isVictim: ofTwoHosts },
  ),
  onEvidence(
    "a key exchange that the client reports, but that is not configured",
    ({ connections }) => {
      for (const connection of connections) connection.tls = { version: "TLS 1.3", group: "P-256" };
    },
    /key exchange secp256r1 instead of x25519, by the client/,
    { isVictim: ofTwoHosts },
  ),
  onEvidence("a request that failed", (evidence) => void (evidence.failed = 1), /1 requests failed/),
  onEvidence(
    "a response over a protocol that is not configured",
    ({ connections }) => void (connections[0]!.protocol = "spdy/3.1"),
    /responses over spdy\/3\.1 instead of (http\/1\.1|h2)/,
  ),
  onEvidence(
    "a response from another server's address",
    ({ connections }) => void (connections[0]!.address = "198.18.1.12:4431"),
    /s1\.lab answered from 198\.18\.1\.12/,
  ),
  onEvidence(
    "the server header of another server software",
    ({ connections }) => void (connections[0]!.software = ["node"]),
    /s1\.lab has the server header node instead of nginx/,
  ),
  onEvidence(
    "no server header",
    ({ connections }) => void (connections[0]!.software = []),
    /s1\.lab has the server header none/,
  ),
  onEvidence(
    "the user agent of another version of the client",
    (evidence) => {
      evidence.userAgent = evidence.userAgent!.replace(/Chrome\/\d+/, "Chrome/99");
    },
    /the client's user-agent is .* its lane has version/,
    { notInSample: true },
  ),
  onEvidence(
    "six connections too many",
    ({ connections }) => {
      const [first] = connections;
      const moved = { ...first!, id: 9999, requests: first!.requests.splice(1) };
      for (let i = 0; i < 6; i++) connections.push({ ...moved, id: 9999 + i, requests: i === 0 ? moved.requests : [] });
    },
    /connections to s1\.lab; at most \d expected/,
  ),
];
