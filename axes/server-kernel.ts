import { plainSysctl } from "../hosts/sysctls.ts";
import type { Evidence } from "../schema/evidence.ts";
import { type Verdict, verdictOf } from "./axis.ts";

/** Checks that each server's host has the configured value of a kernel parameter after the load. */
export function provesServerSysctl({ serverSysctls = {} }: Evidence, name: string, asked: string): Verdict {
  const seen = Object.entries(serverSysctls);
  if (seen.length === 0) return { contradicts: [`no server reports its kernel's ${name}; ${asked} is configured`] };
  return verdictOf(
    seen.flatMap(([host, { [name]: is = "not set" }]) =>
      is === plainSysctl(asked) ? [] : [`${host}: ${name} is ${is} instead of ${asked}`],
    ),
  );
}

/** Checks the queueing discipline of each server's device. @param shown a pattern for what tc prints, such as /^fq .*flow_limit 50p/ */
export function provesServerQdisc({ serverQdiscs = {} }: Evidence, shown: RegExp): Verdict {
  const seen = Object.entries(serverQdiscs);
  if (seen.length === 0)
    return { contradicts: [`no server reports its queueing discipline; ${shown.source} is configured`] };
  return verdictOf(
    seen.flatMap(([host, is]) =>
      shown.test(is) ? [] : [`${host}: its queueing discipline is ${is}, not ${shown.source}`],
    ),
  );
}
