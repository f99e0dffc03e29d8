/** Test traffic of iperf3, which sends control messages about a test over the same link that the test fills. */
import { z } from "zod";
import { run } from "../../hosts/command.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { directions, fullQueueMs, type Link } from "../../schema/link.ts";
import { fillingConnections } from "../../schema/procedure.ts";

/** A port for each kind of test, so that several tests can run at once. */
export const probePorts = { down: 5201, up: 5202, goodput: 5203 };

/** Milliseconds after which no packet of a test can still be in flight: a round trip, a full queue, and a margin. */
export const settleMs = (link: Link) =>
  100 +
  link.rttMs +
  2 * (link.jitterMs ?? 0) +
  Math.max(...directions.map((direction) => fullQueueMs(link, direction)));

/** The time that a test's control messages may take in addition to its data: connections are opened one by one, and some messages are lost. */
const messages = { roundTrips: fillingConnections + 10, seconds: 20 };

export interface IperfTest {
  seconds: number;
  options: readonly string[];
}

/** @returns iperf3's error, if its report is incomplete. If only control messages failed, captures may show that all data was sent */
export async function iperf(
  { service, address }: { service: string; address: string },
  link: Link,
  { seconds, options }: IperfTest,
): Promise<string | null> {
  const port = probePorts.goodput;
  const limitSeconds = Math.ceil(seconds + messages.seconds + (messages.roundTrips * settleMs(link)) / 1000);
  const client = ["iperf3", "--json", "--client", address, "--port", String(port), "--time", String(seconds)];
  await ask(service, serverRoutes.startIperf, { port });
  const report = await reportOf(["timeout", String(limitSeconds), ...client, ...options]);
  await ask(service, serverRoutes.endIperf, { port });
  const problem = unreported(report, seconds);
  return problem && `${[...client, ...options].join(" ")}: ${problem}`;
}

const reportSchema = z.object({ intervals: z.array(z.unknown()), error: z.string().optional() });

/** iperf3 prints its report even when it fails or is ended, whatever its exit code is. @throws Error if there is no report */
async function reportOf(command: readonly string[]): Promise<z.infer<typeof reportSchema>> {
  const stdout = await run(command).catch((error: Error) => {
    const { stdout } = (error.cause ?? {}) as { stdout?: string };
    if (stdout) return stdout;
    throw error;
  });
  return reportSchema.parse(JSON.parse(stdout));
}

/** A complete report has one interval per second; the last may be missing if the client ended early. @returns null for a complete report */
export function unreported({ intervals, error }: z.infer<typeof reportSchema>, seconds: number): string | null {
  if (intervals.length >= seconds - 1) return null;
  return `${error ?? "no error"}, after ${intervals.length} of ${seconds} s`;
}
