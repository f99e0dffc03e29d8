/** Sets whether Linux reduces an idle connection's congestion window to the initial window, for this network namespace. tcp(7) */
import { readFileSync, writeFileSync } from "node:fs";

const parameter = "/proc/sys/net/ipv4/tcp_slow_start_after_idle";

/** Writes only changes, because the parameter is read-only in containers. There, the lab requests only Linux's default. */
export function setSlowStartAfterIdle(on: boolean): void {
  const value = on ? "1" : "0";
  if (readFileSync(parameter, "utf8").trim() !== value) writeFileSync(parameter, value);
}
