import { Argument, type Command } from "commander";
import { isCompound } from "../../../axes/axis.ts";
import { linkValues, sameQueue } from "../../../axes/link-values.ts";
import { textOfLength } from "../../../axes/queue-length.ts";
import { readRegistries } from "../../../axes/registries.ts";
import { allAxes, compounds } from "../../../axes/registry.ts";
import { clients } from "../../../clients/clients.ts";
import { metrics } from "../../../metrics/registry.ts";
import { models } from "../../../models/registry.ts";
import type { AxisName } from "../../../schema/plan.ts";
import { readProtocols } from "../../../servers/protocols.ts";
import { servers } from "../../../servers/servers.ts";
import { readLinks } from "../../../shaper/named-links.ts";
import { describePage, listPages, loadPage } from "../../../sites/pages.ts";
import { conditionsOf } from "../../plan/conditions.ts";
import { listExperiments, readExperiment } from "../../plan/experiment.ts";
import { printTable } from "../print-table.ts";

type Row = Record<string, unknown>;

const named = <T extends object>(entries: Readonly<Record<string, T>>, of: (entry: T) => Row): Row[] =>
  Object.entries(entries).map(([name, entry]) => ({ name, ...of(entry) }));

const isPart = (name: AxisName) => compounds.some(({ parts }) => parts.includes(name));

const registries = {
  axes: (): Row[] =>
    allAxes.map((axis) => ({
      name: axis.name,
      "as in": `${axis.name}=${axis.example}`,
      default: isCompound(axis)
        ? `none: this axis sets ${axis.parts.join(", ")}`
        : (axis.default ?? (isPart(axis.name) ? "the link's value" : "none: each experiment must give values")),
      title: axis.title,
    })),
  pages: (): Row[] => listPages().map((name) => ({ ...describePage(loadPage(name)) })),
  servers: () => named(servers, ({ title, protocols }) => ({ title, protocols: protocols.join(" ") })),
  protocols: () => named(readProtocols(), (protocol) => ({ ...protocol })),
  links: () =>
    named(readLinks(), (link) => {
      const { down, up, rtt, loss, queue, queueUp } = linkValues(link);
      const queues = { queue: textOfLength(queue), queueUp: queueUp === sameQueue ? queueUp : textOfLength(queueUp) };
      return { downMbps: down, upMbps: up, rttMs: rtt, lossPercent: loss, ...queues };
    }),
  clients: () => named(clients, ({ title, protocols }) => ({ title, protocols: protocols.join(" ") })),
  metrics: () => named(metrics, ({ title, unit }) => ({ title, unit })),
  models: () => named(models, ({ source }) => ({ source })),
  experiments: (): Row[] =>
    listExperiments().map((name) => {
      const experiment = readExperiment(name);
      const conditions = conditionsOf(experiment, readRegistries()).length;
      return { name, title: experiment.title, conditions, loads: experiment.loads, source: experiment.source };
    }),
};

function list(what: keyof typeof registries): void {
  printTable(registries[what]());
}

export const addTo = (lab: Command) =>
  lab
    .command("list")
    .description("print the names that experiments and --only can use: axes, pages, links, ...")
    .addArgument(new Argument("<what>").choices(Object.keys(registries)))
    .showHelpAfterError()
    .action(list);
