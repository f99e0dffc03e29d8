import type { Encoding } from "../schema/compression.ts";
import { isImported } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { encodingOf, learntOf } from "./expected.ts";
import { oneOf } from "./values.ts";

const notModified = 304;
/** More than the headers of any of the lab's responses have. */
const mostHeaderBytes = 1000;

declare module "../schema/plan.ts" {
  interface AxisValues {
    compression: "auto" | "none" | "gzip" | "br";
  }
}

/**
 * How servers compress the texts of an imported page; its pictures, and most fonts, are compressed by themselves. The bodies of generated pages
 * have the sizes that a paper gives, and are sent as they are. Confirmed by each response's content-encoding and bytes: for every
 * compressed copy on the servers' disk it is the configured one, and all others have none.
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
        : `page ${page} is generated, and its bodies are sent as they are; auto is allowed`;
    if (registries.clients[client]?.replays)
      return compression === "auto" ? null : `client ${client} asks for no compression; auto and none are allowed`;
    if (compression === "br" && registries.protocols[protocol]?.scheme === "http")
      return `over ${protocol}, without TLS, browsers do not ask for Brotli; gzip is allowed`;
    const encodings = registries.servers[server]?.encodings;
    const encoding = encodingOf(all, registries)!;
    return !encodings || encodings.includes(encoding)
      ? null
      : `server ${server} cannot send texts by ${encoding}; allowed: ${[...encodings, "none"].join(", ")}`;
  },
  proves(_, all, { connections }, registries) {
    const asked = encodingOf(all, registries) ?? undefined;
    const found = learntOf(all, registries)?.filter(({ status }) => status === 200) ?? [];
    const files = new Map(found.map((one) => [one.host + one.path, one]));
    const answers = connections.flatMap(({ host, requests }) => requests.map((request) => ({ host, ...request })));
    return verdictOf(
      answers.flatMap(({ host, path, status, bytes, encoding }) => {
        if (status === notModified) return []; // it has no body, and the client reports the headers of the response that it has
        const file = status === 200 ? files.get(host + path) : undefined;
        // A style sheet may request a file in some loads only, so that it was not learnt.
        const allowed = file || status !== 200 ? [file?.encoding] : [undefined, asked];
        if (!allowed.includes(encoding as Encoding | undefined))
          return [`${path} came with content-encoding ${encoding ?? "none"} instead of ${allowed[0] ?? "none"}`];
        return file?.encoding && bytes > file.bytes + mostHeaderBytes
          ? [`${path} came with ${bytes} bytes; compressed by ${encoding} it has ${file.bytes}`]
          : [];
      }),
    );
  },
});
