/** Where the queue is: a command line shows its password to everyone on the machine, the environment only to its user. */
import { environment } from "../../../hosts/environment.ts";
import { usageError } from "../../../schema/errors.ts";

/** @param given on the command line, if it is there @throws LabError (usage) where neither has an address */
export function queueAddress(given: string | true | undefined, inEnvironment = environment.queue): string {
  const address = typeof given === "string" ? given : inEnvironment;
  if (address) return address;
  throw usageError(
    "no queue is named: give its address, such as redis://HOST:6379, or set LAB_QUEUE in the environment",
  );
}
