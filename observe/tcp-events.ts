/**
 * Reads the states of TCP connections, which the kernel records in tracefs (Documentation/trace/ftrace.rst). Recording wakes no program
 * while a page loads. tracefs is mounted only on the virtual clock; on the real clock the events would include all programs' connections.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { TcpState } from "../schema/tcp-states.ts";

/** The folder in which substrate/netns-lane.ts mounts tracefs. */
export const tracingFolder = "/run/lab/tracing";

/** A buffer of this size has room for the events of some 30,000 packets that arrive at servers. */
const bufferKib = 4096;
/** Linux gives clients ports from this number on (ip_local_port_range). The lab's servers have lower ports. */
const firstClientPort = 32768;
/** The kernel's value for "no threshold yet" (TCP_INFINITE_SSTHRESH). */
const noThreshold = 0x7fffffff;

/** The states of a connection, with times since the epoch. */
export interface TcpAccount {
  /** Address and port, such as "198.18.1.11:4432". */
  server: string;
  client: string;
  states: TcpState[];
}

export class TcpEvents {
  static open(): TcpEvents | null {
    if (!existsSync(`${tracingFolder}/events/tcp`)) return null;
    for (const [file, value] of [
      ["trace_clock", "tai"], // CLOCK_TAI, which equals CLOCK_REALTIME while no leap seconds are set
      ["options/overwrite", "0"],
      ["buffer_size_kb", String(bufferKib)],
      ...["tcp_probe", "tcp_cong_state_set"].flatMap((event) => [
        [`events/tcp/${event}/filter`, `sport < ${firstClientPort}`],
        [`events/tcp/${event}/enable`, "1"],
      ]),
    ] as const)
      writeFileSync(`${tracingFolder}/${file}`, value!);
    return new TcpEvents();
  }

  restart(): void {
    writeFileSync(`${tracingFolder}/trace`, "");
  }

  /** The connections since `restart`; null if there were more events than the buffer holds. */
  read(): TcpAccount[] | null {
    const lost = /^(?:overrun|dropped events): [1-9]/m.test(
      readFileSync(`${tracingFolder}/per_cpu/cpu0/stats`, "utf8"),
    );
    return lost ? null : accountsIn(readFileSync(`${tracingFolder}/trace`, "utf8"));
  }
}

const probe =
  /(\d+)\.(\d{6}): tcp_probe: family=AF_INET src=(\S+) dest=(\S+) .*snd_cwnd=(\d+) ssthresh=(\d+) snd_wnd=\d+ srtt=(\d+)/;
const phaseSet =
  /: tcp_cong_state_set: family=AF_INET sport=(\d+) dport=(\d+) saddr=(\S+) daddr=(\S+) .*cong_state=(\d)/;

/** @param text the content of tracefs's file `trace` */
export function accountsIn(text: string): TcpAccount[] {
  const accounts = new Map<string, TcpAccount>();
  const phases = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, serverPort, clientPort, server, client, phase] = phaseSet.exec(line) ?? [];
    if (phase) phases.set(`${server}:${serverPort} ${client}:${clientPort}`, Number(phase));
    const [found, seconds, micros, source = "", destination = "", window, threshold, rtt] = probe.exec(line) ?? [];
    if (!found) continue;
    const key = `${source} ${destination}`;
    const account = accounts.get(key) ?? { server: source, client: destination, states: [] };
    accounts.set(key, account);
    account.states.push({
      atUs: Number(seconds) * 1e6 + Number(micros),
      windowSegments: Number(window),
      thresholdSegments: Number(threshold) >= noThreshold ? null : Number(threshold),
      smoothedRttUs: Number(rtt),
      phase: phases.get(key) ?? 0,
    });
  }
  return [...accounts.values()];
}
