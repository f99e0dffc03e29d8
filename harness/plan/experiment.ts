import { existsSync, readdirSync } from "node:fs";
import { z } from "zod";
import { readTopology, webHosts } from "../../hosts/topology.ts";
import { listPages } from "../../pages/pages.ts";
import { usageError } from "../../schema/errors.ts";
import { type AxisName, axisNames, type Channel, type Condition } from "../../schema/model.ts";
import { parseQuantity } from "../../schema/units.ts";
import { readYamlFile } from "../../schema/yaml-file.ts";
import { readProtocols } from "../../servers/protocols.ts";
import { serverNames } from "../../servers/registry.ts";
import { readChannels } from "../../shaper/channels.ts";
import { casesSchema, comparisonProblems, tablesSchema } from "../report/tables/spec.ts";

const defaultDirectory = "experiments";

const axis = <T extends z.ZodType>(value: T) => z.array(value).min(1);
export const experimentSchema = z.strictObject({
  title: z.string(),
  source: z.string(),
  loads: z.int().min(1).max(1000),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  timeout: z.string(),
  axes: z.strictObject({
    page: axis(z.string()),
    servers: axis(z.int().min(1)),
    channel: axis(z.string()),
    protocol: axis(z.string()),
    initcwnd: axis(z.int().min(1).max(1000)),
    server: axis(z.string()),
    congestion: axis(z.enum(["cubic", "reno"])),
  }),
  base: casesSchema.shape.base,
  cases: casesSchema.shape.cases,
  tables: tablesSchema,
});

/** One file of experiments/: what to load, how often, and which tables to print. */
export type Experiment = z.infer<typeof experimentSchema>;

export function listExperiments(directory = defaultDirectory): string[] {
  return readdirSync(directory)
    .filter((file) => /^[\w-]+\.yml$/.test(file))
    .map((file) => file.replace(/\.yml$/, ""))
    .sort();
}

/** @throws LabError (usage) for an unknown name or a file that is not an experiment */
export function readExperiment(name: string, directory = defaultDirectory): Experiment & { timeoutSeconds: number } {
  const names = listExperiments(directory);
  if (!names.includes(name)) throw usageError(`there is no experiment "${name}"; there is: ${names.join(", ")}`);
  const path = `${directory}/${name}.yml`;
  const raw = readYamlFile(path, experimentSchema);
  checkAxes(raw.axes, path);
  const problems = comparisonProblems(raw).map(({ path: place, message }) => `${path}: ${place}: ${message}`);
  if (problems.length) throw usageError(problems.join("\n"));
  return { ...raw, timeoutSeconds: parseQuantity("timeoutSeconds", raw.timeout, `${path}: timeout`) };
}

/** The published values that stand beside an experiment's tables, if there are any. */
export function publishedFile(name: string): string | null {
  const path = `${defaultDirectory}/${name}.published.yml`;
  return existsSync(path) ? path : null;
}

/** Every axis value that names an entry of a registry must be in it, and none may be given twice. */
function checkAxes(axes: Experiment["axes"], path: string): void {
  const allowed: Partial<Record<AxisName, (string | number)[]>> = {
    page: listPages(),
    servers: webHosts(readTopology()).map((_, i) => i + 1),
    channel: [...readChannels().keys()],
    protocol: [...readProtocols().keys()],
    server: serverNames(),
  };
  for (const name of axisNames) {
    const values: (string | number)[] = axes[name];
    for (const value of values) {
      if (allowed[name] && !allowed[name].includes(value))
        throw usageError(
          `${path}: axes.${name}: there is no ${name} "${value}"; there is: ${allowed[name].join(", ")}`,
        );
      if (values.indexOf(value) !== values.lastIndexOf(value))
        throw usageError(`${path}: axes.${name}: "${value}" is given twice`);
    }
  }
}

/** The full product of the axes, in their order: for spdy-initcwnd 288 conditions. */
export function conditionsOf(
  { axes }: Pick<Experiment, "axes">,
  channels: Record<string, Channel> = Object.fromEntries(readChannels()),
): Condition[] {
  const conditions: Condition[] = [];
  for (const page of axes.page)
    for (const servers of axes.servers)
      for (const name of axes.channel)
        for (const protocol of axes.protocol)
          for (const initcwnd of axes.initcwnd)
            for (const server of axes.server)
              for (const congestion of axes.congestion) {
                const channel = channels[name] as Channel;
                const id = [page, `${servers}s`, name, protocol, `iw${initcwnd}`, server, congestion].join("/");
                conditions.push({ id, page, servers, channel, protocol, initcwnd, server, congestion });
              }
  return conditions;
}
