import { entryOf } from "../schema/registries.ts";
import { defineAxis } from "./axis.ts";
import { name } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    server: string;
  }
}

/** Confirmed by the `server` header of each connection's responses, if no other server of the run has the same header. */
export const axis = defineAxis({
  name: "server",
  title: "the server software (servers/)",
  example: "nginx",
  follows: "delayedAcks",
  field: "server",
  value: name,
  default: "nginx",
  known: ({ servers }) => Object.keys(servers),
  id: (server) => server,
  sets: (server) => ({ server: { software: server } }),
  proves(server, _, { connections }, { servers }) {
    const { header } = entryOf(servers, "servers", server);
    const others = connections.flatMap(({ host, software }) =>
      software.length > 0 && software.every((name) => name === header || name.startsWith(`${header}/`))
        ? []
        : [`${host} has the server header ${software.join(", ") || "none"} instead of ${header}`],
    );
    if (others.length) return { contradicts: [...new Set(others)] };
    // Two configurations of one program have the same header, so no response shows which one answered.
    const alike = Object.keys(servers).filter((other) => other !== server && servers[other]?.header === header);
    return alike.length ? { notObservable: `${alike.join(", ")} has the same server header, ${header}` } : "confirmed";
  },
});
