/** Test traffic of iperf3, which exchanges messages about a test on the link that it fills. */
import { z } from "zod";
import { run } from "../../hosts/command.ts";
import { ask } from "../../hosts/control.ts";
import { serverRoutes } from "../../hosts/routes.ts";
import { directions, fullQueueMs, type Link } from "../../schema/link.ts";
import { fillingConnections } from "../../schema/procedure.ts";

/** A port for each test, so that several can run at once. */
export const probePorts = { down: 5201, up: 5202, goodput: 5203 };

/** Milliseconds after which no packet of a test can still be under way: a round trip, a full queue, and a margin. */
export const settleMs = (link: Link) =>
  100 +
  link.rttMs +
  2 * (link.jitterMs ?? 0) +
  Math.max(...directions.map((direction) => fullQueueMs(link, direction)));

/** How long a test's messages may take beside its data: connections are opened one after another, and some messages are lost. */
const messages = { roundTrips: fillingConnections + 10, seconds: 20 };

export interface IperfTest {
  seconds: number;
  options: readonly string[];
}

/**
 * One test. Its messages share the link with its data, so it may fail although all data was sent, or none: what captures have tells.
 * A client that waits longer than messages may take is ended.
 * @returns iperf3's words, if the client did not report on the whole time
 */
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

/** iperf3 prints its report also when it fails or is ended, with 0 or another exit code. @throws Error if there is none */
async function reportOf(command: readonly string[]): Promise<z.infer<typeof reportSchema>> {
  const stdout = await run(command).catch((error: Error) => {
    const { stdout } = (error.cause ?? {}) as { stdout?: string };
    if (stdout) return stdout;
    throw error;
  });
  return reportSchema.parse(JSON.parse(stdout));
}

/** The report has an interval a second; the last one is missing if the client did not get to it. */
export function unreported({ intervals, error }: z.infer<typeof reportSchema>, seconds: number): string | null {
  if (intervals.length >= seconds - 1) return null;
  return `${error ?? "no error"}, after ${intervals.length} of ${seconds} s`;
}
