import type { ConnectionEvidence } from "../schema/evidence.ts";
import { entryOf } from "../schema/registries.ts";
import { defineAxis, verdictOf } from "./axis.ts";
import { name } from "./values.ts";

declare module "../schema/plan.ts" {
  interface AxisValues {
    client: string;
  }
}

/** Confirmed by the `user-agent` header of the client's requests, and by whether the client reports which connection carried a request. */
export const axis = defineAxis({
  name: "client",
  title: "what loads the page (clients/)",
  example: "chromium",
  follows: "congestion",
  field: "client",
  value: name,
  default: "chromium",
  known: ({ clients }) => Object.keys(clients),
  id: (client) => client,
  sets: (client) => ({ client: { software: client } }),
  proves(client, _, { userAgent, connections }, { clients }) {
    const { userAgent: expected, userAgentLacks: other, drivenBy } = entryOf(clients, "clients", client);
    const isNamed = userAgent.includes(expected) && !(other && userAgent.includes(other));
    const told = ({ id, address }: ConnectionEvidence) => [id, address].filter((one) => one !== null).length;
    const odd = connections.filter((connection) => told(connection) !== (drivenBy ? 0 : 2));
    return verdictOf([
      ...(isNamed ? [] : [`the client's user-agent is ${userAgent}; that of ${client} contains ${expected}`]),
      ...odd.map(({ host }) =>
        drivenBy
          ? `a connection to ${host} has a number or an address, which ${drivenBy} does not report`
          : `a connection to ${host} has no number or no address, but ${client} reports them`,
      ),
    ]);
  },
});
