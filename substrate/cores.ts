import { readFileSync } from "node:fs";

/** Returns the cores that this process may use. @param list the value of Cpus_allowed_list, such as "0-1,4"; proc_pid_status(5) */
export function cores(
  list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0",
): number[] {
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** Reads the CPU quota of this control group, in cores. The file cpu.max contains a text such as "200000 100000" or "max 100000". */
export function coreQuota(): number {
  try {
    const [quotaUs, periodUs] = readFileSync("/sys/fs/cgroup/cpu.max", "utf8").trim().split(" ");
    return quotaUs === "max" ? Infinity : Math.ceil(Number(quotaUs) / Number(periodUs));
  } catch {
    return Infinity; // no control groups of version 2
  }
}
