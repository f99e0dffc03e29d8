import { plainSysctl } from "../hosts/sysctls.ts";
import type { Evidence } from "../schema/evidence.ts";
import { type Verdict, verdictOf } from "./axis.ts";

/** For axes that set a kernel parameter of the servers' hosts: each host must have the value after the load. */
export function provesServerSysctl({ serverSysctls = {} }: Evidence, name: string, asked: string): Verdict {
  const seen = Object.entries(serverSysctls);
  if (seen.length === 0) return { contradicts: [`no server reports its kernel's ${name}; ${asked} is configured`] };
  return verdictOf(
    seen.flatMap(([host, { [name]: is = "not set" }]) =>
      is === plainSysctl(asked) ? [] : [`${host}: ${name} is ${is} instead of ${asked}`],
    ),
  );
}

/** For axes that set the queueing discipline of the servers' devices. @param shown must match what tc prints, as in /^fq .*flow_limit 50p/ */
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
