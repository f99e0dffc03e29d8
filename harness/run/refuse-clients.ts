import { clients } from "../../clients/clients.ts";
import { findProgram } from "../../hosts/command.ts";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Condition } from "../../schema/plan.ts";

/** @throws LabError that names a client whose program is not on this machine, and its packages */
export function refuseClients(
  conditions: readonly Condition[],
  programOf = (name: string) => clients[name]?.program,
): void {
  for (const name of new Set(conditions.map(({ settings }) => settings.client.software))) {
    const program = programOf(name);
    try {
      if (program) findProgram(program);
    } catch (error) {
      throw new LabError(
        ExitCode.machineCannot,
        `client ${name}: ${(error as Error).message}; its Debian packages stand in clients/${name}/packages.txt (hosts/packages.sh list clients/${name} | hosts/packages.sh install)`,
      );
    }
  }
}
