/** What hosts can be asked, and what they answer: the one map that both ends of a control socket are made from. */
import { z } from "zod";
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

export interface Route<Question, Answer> {
  /** As HTTP has it: "PUT /link". */
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
  /** A fresh link: nothing queued, all counters at zero. Answers what it is. */
  setLink: route("PUT /link", linkSchema, linkReading),
  readLink: route("GET /link", nothing, linkReading),
  describe: route("GET /backend", nothing, shaperDescription),
  /** For tests that must see a wrong link: any commands for tc. */
  tc: route("PUT /tc", z.array(z.array(z.string())), nothing),
};

export const serverRoutes = {
  ...everyHost,
  configure: route("PUT /server", settingsSchema.shape.server.extend({ route: routeSchema }), nothing),
  /** What a server software says its version is. */
  version: route("PUT /version", z.string(), z.string()),
  /** Have iperf3 listen, for one test. */
  iperf: route("PUT /iperf", z.strictObject({ port }), nothing),
  /** What became of the packets of calibration's two streams. */
  datagrams: route(
    "PUT /datagrams",
    z.strictObject({ fromMs: z.number(), clientAddress: z.ipv4(), ports: z.strictObject({ down: port, up: port }) }),
    z.strictObject({ down: z.array(datagram), up: z.array(datagram) }),
  ),
  /** What its TCP knows of the client, by connections that are still open. */
  known: route("GET /known", nothing, knownConnections),
  observe: route("PUT /observe", spansSchema, serverObservation),
  /** What the server software has logged, base64 by file: it is ended for that, for then they are whole. */
  logs: route("PUT /logs", nothing, z.record(z.string(), z.base64())),
};

// biome-ignore lint/suspicious/noExplicitAny: routes differ in what they ask and answer
export type Routes = Record<string, Route<any, any>>;

/** One handler a route. */
export type Handlers<R extends Routes> = {
  [K in keyof R]: R[K] extends Route<infer Question, infer Answer>
    ? (question: Question) => Promise<Answer> | Answer
    : never;
};
