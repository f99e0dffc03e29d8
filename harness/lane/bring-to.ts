import { callHost } from "../../hosts/control.ts";
import type { Condition } from "../../schema/model.ts";
import type { ServerSettings } from "../../servers/agent.ts";

/** Make every host what the condition wants; the link fresh, its counters at zero. */
export async function bringTo(
  { channel, server, initcwnd, congestion }: Condition,
  hosts: { service: string }[],
): Promise<void> {
  const settings: ServerSettings = { server, initcwnd, congestion };
  await Promise.all([
    callHost("shaper", "PUT", "/link", channel),
    ...hosts.map(({ service }) => callHost(service, "PUT", "/server", settings)),
  ]);
}
