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
import { configureHosts } from "./configure-hosts.ts";

/**
 * Lets the client visit the page once before the load, over the load's link and with the kernel's default initial window.
 * @returns each server's figures of the visit's connections, for the adaptive initial windows @throws Error if the visit fails
 */
export async function acquaint(
  hosts: readonly WebHost[],
  clientTcp: ClientTcp,
  client: OpenClient,
  settings: Settings,
  { visit, folder }: { visit: Visit; folder: string | undefined },
): Promise<KnownClient[]> {
  const { rttMs } = settings.link;
  let earlier: number[][] = [];
  const known = await client.load(
    { ...visit, earlier: undefined },
    {
      async prepare() {
        await configureHosts(settings, hosts, clientTcp, { folder });
        // If the RST of an earlier load's connection was lost, the server still has that connection, which does not belong to this visit.
        earlier = await Promise.all(hosts.map(({ service }) => ask(service, serverRoutes.clientPorts)));
      },
      async look({ failure, evidence }) {
        if (failure) throw new Error(failed(failure.reason));
        let clients: KnownClient[] = [];
        const isDelivered = async () => {
          clients = await Promise.all(hosts.map((host, i) => knownBy(host, earlier[i]!)));
          return deliveredBytes(clients) >= evidence.receivedBytes;
        };
        // Waits for all acknowledgments. If one is lost, the server retransmits the segment, and the client acknowledges it again.
        await sleep(tolerance.delayedAckMs + rttMs);
        await waitFor(isDelivered, {
          interval: tolerance.delayedAckMs + rttMs,
          timeout: { milliseconds: visit.timeoutMs, message: new Error(failed(notAcknowledged)) },
        });
        return clients;
      },
    },
  );
  await sleep(restMs + rttMs); // until the visit's connections have ended
  return known.filter(({ connections }) => connections.length > 0);
}

const failed = (why: string) => `the visit that makes the client known to the servers failed: ${why}`;

const notAcknowledged = "the client has not acknowledged all that it received";

/** @param earlier the client's ports of connections that began before the visit */
const knownBy = async ({ service, name }: WebHost, earlier: number[]): Promise<KnownClient> => ({
  host: name,
  connections: await ask(service, serverRoutes.known, earlier),
});

const deliveredBytes = (clients: readonly KnownClient[]) =>
  clients.flatMap(({ connections }) => connections).reduce((sum, one) => sum + one.deliveredBytes, 0);
