import { setTimeout as sleep } from "node:timers/promises";
import waitFor from "p-wait-for";
import type { OpenClient, Visit } from "../../clients/client.ts";
import type { ClientTcp } from "../../hosts/client-tcp.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import type { KnownClient } from "../../schema/known-client.ts";
import { restMs } from "../../schema/procedure.ts";
import type { WebHost } from "../../schema/registries.ts";
import type { Settings } from "../../schema/settings.ts";
import { tolerance } from "../../schema/tolerances.ts";
import { bringAbout } from "./bring-about.ts";

/**
 * Has the client visit the page once, which nobody counts, over the same link and under the kernel's own window.
 * @returns what the servers know of it when all that it has received is acknowledged
 * @throws Error when the page does not load
 */
export async function acquaint(
  hosts: readonly WebHost[],
  clientTcp: ClientTcp,
  client: OpenClient,
  settings: Settings,
  visit: Visit,
): Promise<KnownClient[]> {
  const { rttMs } = settings.link;
  const askAll = () => Promise.all(hosts.map(knownBy));
  const until = (condition: () => Promise<boolean>, otherwise: string) =>
    waitFor(condition, {
      interval: tolerance.delayedAckMs + rttMs,
      timeout: { milliseconds: visit.timeoutMs, message: new Error(failed(otherwise)) },
    });
  const known = await client.load(
    { ...visit, earlier: undefined },
    {
      async prepare() {
        await bringAbout(settings, hosts, clientTcp);
        // The end of an earlier load's connection was still in the link when that was changed: it is sent again.
        await until(async () => deliveredBytes(await askAll()) === 0, "a connection of an earlier load did not end");
      },
      async look({ problem, evidence }) {
        if (problem) throw new Error(failed(problem));
        let clients: KnownClient[] = [];
        const isDelivered = async () => {
          clients = await askAll();
          return deliveredBytes(clients) >= evidence.receivedBytes;
        };
        // An acknowledgment that is lost takes another segment to be sent again.
        await sleep(tolerance.delayedAckMs + rttMs);
        await until(isDelivered, "not all that was received has been acknowledged");
        return clients;
      },
    },
  );
  await sleep(restMs + rttMs); // its connections end
  return known.filter(({ connections }) => connections.length > 0);
}

const failed = (why: string) => `the visit by which servers were to know the client failed: ${why}`;

const knownBy = async ({ service, name }: WebHost): Promise<KnownClient> => ({
  host: name,
  connections: await ask(service, serverRoutes.known),
});

const deliveredBytes = (clients: readonly KnownClient[]) =>
  clients.flatMap(({ connections }) => connections).reduce((sum, one) => sum + one.deliveredBytes, 0);
