/** The requests that hosts handle, and their responses. Both ends of a control socket use these definitions. */
import { z } from "zod";
import { backgroundSchema, senderState } from "../schema/background.ts";
import { knownConnections } from "../schema/known-client.ts";
import { linkSchema } from "../schema/link.ts";
import {
  datagram,
  linkReading,
  processorReading,
  serverObservation,
  shaperDescription,
  spansSchema,
} from "../schema/observation.ts";
import { routeSchema, settingsSchema } from "../schema/settings.ts";
import { datagramPlanSchema } from "./datagram-stream.ts";

export interface Route<Question, Answer> {
  /** Method and path: "PUT /link". */
  request: string;
  question: z.ZodType<Question>;
  answer: z.ZodType<Answer>;
}

const route = <Question, Answer>(
  request: string,
  question: z.ZodType<Question>,
  answer: z.ZodType<Answer>,
): Route<Question, Answer> => ({ request, question, answer });

const nothing = z.null();
const port = z.int().min(1).max(65535);

export const everyHost = {
  health: route("GET /health", nothing, z.strictObject({ host: z.string() })),
  processor: route("GET /processor", nothing, processorReading),
};

export const shaperRoutes = {
  ...everyHost,
  /** Sets up a fresh link, with nothing queued and all counters at zero, and reads it back. */
  setLink: route("PUT /link", linkSchema, linkReading),
  readLink: route("GET /link", nothing, linkReading),
  describe: route("GET /backend", nothing, shaperDescription),
  /** Runs the given tc commands, for tests that need a wrong link. */
  tc: route("PUT /tc", z.array(z.array(z.string())), nothing),
};

const configuration = settingsSchema.shape.server.omit({ recordedRtts: true }).extend({
  route: routeSchema,
  /** The link corrupts packets, so captures must check each packet's checksum. */
  checksPackets: z.literal(true).optional(),
  /** The load may have more packets than a capture's ring holds. */
  isLong: z.literal(true).optional(),
  /** The folder of the imported page that the server serves (sites/paths.ts); absent for generated pages. */
  folder: z.string().optional(),
});

export const serverRoutes = {
  ...everyHost,
  configure: route("PUT /server", configuration, nothing),
  sysctls: route("PUT /sysctls", z.array(z.string()), z.record(z.string(), z.string())),
  /** The version that a server software prints. */
  version: route("PUT /version", z.string(), z.string()),
  /** Starts an iperf3 server for one test. */
  startIperf: route("PUT /iperf", z.strictObject({ port }), nothing),
  endIperf: route("PUT /iperf-end", z.strictObject({ port }), nothing),
  /** Opens a port for a stream of UDP packets with the client, and begins to send if the server is the sender. */
  startStream: route(
    "PUT /stream",
    z.strictObject({
      port,
      client: z.strictObject({ address: z.ipv4(), port }),
      send: datagramPlanSchema.nullable(),
    }),
    nothing,
  ),
  /** Responds when the whole stream has been sent. */
  finishStream: route("PUT /stream-end", z.strictObject({ port }), nothing),
  /** Accepts background flows, and sends data on the flows that go to the client. If the background is another page, serves that page. */
  startBackground: route("PUT /background", backgroundSchema, nothing),
  /** The state of each open background flow on which the server sends. */
  background: route("GET /background", nothing, z.array(senderState)),
  /** Resets all background flows. */
  endBackground: route("PUT /background-end", nothing, nothing),
  /** The captured packets of calibration's two streams. */
  datagrams: route(
    "PUT /datagrams",
    z.strictObject({ fromMs: z.number(), clientAddress: z.ipv4(), ports: z.strictObject({ down: port, up: port }) }),
    z.strictObject({ down: z.array(datagram), up: z.array(datagram) }),
  ),
  /** The client ports of all connections that are still open on the server. */
  clientPorts: route("GET /client-ports", nothing, z.array(port)),
  /** How many bytes TCP has not delivered to the client yet, on all connections of the server, also those whose program has ended. */
  undelivered: route("GET /undelivered", nothing, z.int().nonnegative()),
  /** TCP's measurements of open connections from the client (RTT, rate, window), except connections from the given client ports. */
  known: route("PUT /known", z.array(port), knownConnections),
  /** What the server observed. `keyLog` has the secrets of the client's QUIC connections, in the format of SSLKEYLOGFILE. */
  observe: route("PUT /observe", z.strictObject({ spans: spansSchema, keyLog: z.string() }), serverObservation),
  /** Stops the server software, so that its logs are complete, and returns them: base64 by file name. */
  logs: route("PUT /logs", nothing, z.record(z.string(), z.base64())),
};

// biome-ignore lint/suspicious/noExplicitAny: routes differ in their types
export type Routes = Record<string, Route<any, any>>;

export type Handlers<R extends Routes> = {
  [K in keyof R]: R[K] extends Route<infer Question, infer Answer>
    ? (question: Question) => Promise<Answer> | Answer
    : never;
};
