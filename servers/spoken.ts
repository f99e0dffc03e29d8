import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ServerSoftware } from "./software.ts";

/** Returns the protocols that this machine's build of a server speaks. @throws Error if the server's program cannot be started */
export async function spokenHere({
  protocols,
  builds,
}: Pick<ServerSoftware, "protocols" | "builds">): Promise<string[]> {
  if (!builds) return protocols;
  const [program = "", ...words] = builds.command;
  const { stdout, stderr } = await promisify(execFile)(program, words);
  return protocols.filter((protocol) => {
    const sign = builds.protocols[protocol];
    return sign === undefined || `${stdout}${stderr}`.includes(sign);
  });
}
