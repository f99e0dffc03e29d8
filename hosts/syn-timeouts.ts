/** How many time-outs of a SYN Linux does not double: 4 since Linux 6.5, which added the parameter. ip-sysctl, tcp_syn_linear_timeouts */
import { sysctlOrNone } from "./sysctls.ts";

export const synLinearTimeouts = "net.ipv4.tcp_syn_linear_timeouts";

/** null in older kernels, which double each time-out. */
export function readSynLinearTimeouts(): number | null {
  const value = Number(sysctlOrNone(synLinearTimeouts));
  return Number.isNaN(value) ? null : value;
}
