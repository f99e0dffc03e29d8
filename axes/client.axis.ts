import { defineAxis } from "./axis.ts";
import { name } from "./values.ts";

/** Proven by the `user-agent` header of its requests. */
export const axis = defineAxis<string>({
  name: "client",
  title: "what loads the page (clients/)",
  example: "chromium",
  place: 90,
  field: "client",
  value: name,
  default: "chromium",
  known: ({ clients }) => Object.keys(clients),
  id: (client) => client,
  sets: (client) => ({ client: { software: client } }),
  proves(client, _, { userAgent }, { clients }) {
    const { userAgent: expected, userAgentLacks: other } = clients[client]!;
    if (userAgent === null) return { unseen: "version 2 did not keep the requests' user-agent header" };
    return userAgent.includes(expected) && !(other && userAgent.includes(other))
      ? "held"
      : { contradicts: [`the client calls itself ${userAgent}; ${expected} is ${client}`] };
  },
});
