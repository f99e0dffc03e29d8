/** Finds the queue's address, which may contain a password. All users of a machine can see command lines, but only their own environments. */
import { environment } from "../../../hosts/environment.ts";
import { usageError } from "../../../schema/errors.ts";

/** @param given the address on the command line, if there is one @throws LabError (usage) if the environment has no address either */
export function queueAddress(given: string | true | undefined, inEnvironment = environment.queue): string {
  const address = typeof given === "string" ? given : inEnvironment;
  if (address) return address;
  throw usageError(
    "no queue is configured: give its address, such as redis://HOST:6379, or set LAB_QUEUE in the environment",
  );
}
