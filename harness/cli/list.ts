import { Argument } from "commander";
import { describePage, listPages, loadPage } from "../../pages/pages.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { servers } from "../../servers/registry.ts";
import { readChannels } from "../../shaper/channels.ts";
import { conditionsOf, listExperiments, readExperiment } from "../plan/experiment.ts";

const registries = {
  pages: () => listPages().map((name) => describePage(loadPage(name))),
  servers: () =>
    Object.entries(servers).map(([name, { title, protocols }]) => ({ name, title, protocols: protocols.join(" ") })),
  protocols: () => [...readProtocols().values()],
  channels: () => [...readChannels().values()],
  experiments: () =>
    listExperiments().map((name) => {
      const experiment = readExperiment(name);
      return { name, title: experiment.title, conditions: conditionsOf(experiment).length, loads: experiment.loads };
    }),
};

export const listable = new Argument("<what>", "which registry").choices(Object.keys(registries));

export function list(what: keyof typeof registries): void {
  const rows: Record<string, unknown>[] = registries[what]().map((row) => ({ ...row }));
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  for (const line of cells)
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}
