import { plainSysctl } from "../hosts/sysctls.ts";
import type { Evidence } from "../schema/evidence.ts";
import { type Verdict, verdictOf } from "./axis.ts";

/** For axes that set a kernel parameter of the servers' hosts: each must have had the value when the load was over. */
export function provesServerSysctl({ serverSysctls = {} }: Evidence, name: string, asked: string): Verdict {
  const seen = Object.entries(serverSysctls);
  if (seen.length === 0)
    return { contradicts: [`no server says which ${name} its kernel has; ${asked} is configured`] };
  return verdictOf(
    seen.flatMap(([host, { [name]: is = "not set" }]) =>
      is === plainSysctl(asked) ? [] : [`${host}: ${name} is ${is} instead of ${asked}`],
    ),
  );
}

/** For axes that set the queueing discipline of the servers' devices. @param shown what tc must have printed of it, such as /^fq .*flow_limit 50p/ */
export function provesServerQdisc({ serverQdiscs = {} }: Evidence, shown: RegExp): Verdict {
  const seen = Object.entries(serverQdiscs);
  if (seen.length === 0)
    return { contradicts: [`no server says which queueing discipline it has; ${shown.source} is configured`] };
  return verdictOf(
    seen.flatMap(([host, is]) =>
      shown.test(is) ? [] : [`${host}: its queueing discipline is ${is}, not ${shown.source}`],
    ),
  );
}
