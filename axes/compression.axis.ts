import { recordedOf } from "../schema/recorded-names.ts";
import { isImported, type LearntRequest } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { encodingOf, learntOf } from "./expected.ts";
import { oneOf } from "./values.ts";

const notModified = 304;
/** An upper bound for the headers of the lab's responses. */
const mostHeaderBytes = 1000;

declare module "../schema/plan.ts" {
  interface AxisValues {
    compression: "auto" | "none" | "gzip" | "br";
  }
}

/**
 * Generated pages are sent uncompressed, so that their bodies have the sizes that papers give. Confirmed by each response's content-encoding and
 * bytes. Files with a compressed copy on the servers' disk must have the configured encoding, and all other files must have none. The responses
 * of a recorded page must have the recorded encodings.
 */
export const axis = defineAxis({
  name: "compression",
  title: "how an imported page's texts are compressed; auto: gzip, if the client asks for it",
  example: "br",
  follows: "server",
  field: "compression",
  value: oneOf(["auto", "none", "gzip", "br"]),
  default: "auto",
  unknownBefore: "the lab's servers could compress",
  label: (compression) => (compression === "none" ? "no compression" : `compression ${compression}`),
  id: (compression) => `compression-${compression}`,
  sets(compression) {
    if (compression === "none") return {};
    return { server: { compression: compression === "auto" ? "gzip" : compression } };
  },
  refuses(compression, all, registries) {
    const { page, protocol, server, client } = all;
    const entry = registries.pages[page];
    if (!entry || compression === "none") return null;
    if (!isImported(entry))
      return compression === "auto"
        ? null
        : `page ${page} is generated, and its bodies are sent uncompressed; auto is allowed`;
    if (entry.recorded)
      return compression === "auto" ? null : `page ${page} is sent with the recorded content codings; auto is allowed`;
    if (registries.clients[client]?.replays)
      return compression === "auto" ? null : `client ${client} does not request compression; auto and none are allowed`;
    if (compression === "br" && registries.protocols[protocol]?.scheme === "http")
      return `over ${protocol}, without TLS, browsers do not ask for Brotli; gzip is allowed`;
    const encodings = registries.servers[server]?.encodings;
    const encoding = encodingOf(all, registries)!;
    return !encodings || encodings.includes(encoding)
      ? null
      : `server ${server} cannot send texts with content coding ${encoding}; allowed: ${[...encodings, "none"].join(", ")}`;
  },
  proves(_, all, { connections }, registries) {
    const isRecorded = recordedOf(all.page, registries) !== undefined;
    const asked = encodingOf(all, registries) ?? undefined;
    // A recorded page may have several responses to one URL, for requests that differ in their method or body.
    const learnt = new Map<string, LearntRequest[]>();
    for (const one of learntOf(all, registries) ?? []) learnt.set(keyOf(one), [...(learnt.get(keyOf(one)) ?? []), one]);
    const answers = connections.flatMap(({ host, requests }) => requests.map((request) => ({ host, ...request })));
    return verdictOf(
      answers.flatMap(({ host, path, status, bytes, encoding }) => {
        if (status === notModified) return []; // it has no body, and the client reports the headers of its cached response
        const same = learnt.get(keyOf({ host, path, status }));
        // Not every request was learnt: a style sheet may request a file only in some loads.
        if (!same && isRecorded) return [];
        const [file] = same ?? [];
        const allowed = same?.map((one) => one.encoding) ?? (status === 200 ? [undefined, asked] : [undefined]);
        if (!allowed.includes(encoding))
          return [`${path} came with content-encoding ${encoding ?? "none"} instead of ${allowed[0] ?? "none"}`];
        return !isRecorded && file?.encoding && bytes > file.bytes + mostHeaderBytes
          ? [`${path} came with ${bytes} bytes; compressed by ${encoding} it has ${file.bytes}`]
          : [];
      }),
    );
  },
});

const keyOf = ({ host, path, status }: Pick<LearntRequest, "host" | "path" | "status">) => `${host}${path} ${status}`;
