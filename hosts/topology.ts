import { z } from "zod";
import { readYamlFile } from "../schema/yaml-file.ts";
import { environment } from "./environment.ts";

const network = z.strictObject({
  ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.cidrv4() })).length(1) }),
});
const dependsOn = z.union([
  z
    .array(z.string())
    .transform((names) => Object.fromEntries(names.map((name) => [name, { condition: "service_started" }]))),
  z.record(z.string(), z.strictObject({ condition: z.enum(["service_started", "service_completed_successfully"]) })),
]);
const service = z.strictObject({
  command: z.array(z.string()),
  entrypoint: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  hostname: z.string().optional(),
  networks: z.record(z.string(), z.strictObject({ ipv4_address: z.ipv4() })).default({}),
  network_mode: z.literal("none").optional(),
  sysctls: z.record(z.string().regex(/^[\w.]+$/), z.number()).default({}),
  depends_on: dependsOn.default({}),
  volumes: z.array(z.string()).default([]),
  // Keys that only a container engine needs: namespaces use this machine's file system, programs and users.
  attach: z.unknown().optional(),
  build: z.unknown().optional(),
  image: z.unknown().optional(),
  cap_add: z.unknown().optional(),
  cap_drop: z.unknown().optional(),
  shm_size: z.unknown().optional(),
  user: z.unknown().optional(),
  init: z.unknown().optional(),
});
/** The hosts of the lab: all services, except those with profiles, which are started only by name. */
const hosts = z
  .record(z.string(), z.looseObject({ profiles: z.array(z.string()).default([]) }))
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, { profiles, ...one }]) => (profiles.length ? [] : [[name, one] as const])),
    ),
  )
  .pipe(z.record(z.string(), service));
const schema = z.looseObject({
  name: z.string(),
  services: hosts,
  networks: z.record(z.string(), network),
  volumes: z.record(z.string(), z.strictObject({})),
});
const topLevel = ["name", "services", "networks", "volumes"];

export type Topology = z.infer<typeof schema>;

/** Reads compose.yml. Keys other than those above are errors, because the lab's network namespaces would ignore them. */
export function readTopology(path = "compose.yml"): Topology {
  const strict = schema.superRefine((file, context) => {
    for (const key of Object.keys(file))
      if (!topLevel.includes(key) && !key.startsWith("x-"))
        context.addIssue({ code: "custom", message: `unknown key "${key}"; known: ${topLevel.join(", ")}, x-…` });
  });
  return withoutHosts(
    readYamlFile(path, strict, (text) => interpolated(text)),
    environment.webHosts,
  );
}

/** Leaves out the hosts that serve pages after the first `webHostCount`. */
function withoutHosts(topology: Topology, webHostCount = Number.POSITIVE_INFINITY): Topology {
  const unneeded = webHosts(topology).slice(webHostCount);
  const services = Object.entries(topology.services).filter(
    ([name]) => !unneeded.some(({ service }) => service === name),
  );
  return { ...topology, services: Object.fromEntries(services) };
}

/** Replaces ${NAME:-default} by the environment variable or the default, as Compose does. */
export const interpolated = (text: string, variables: NodeJS.ProcessEnv = process.env): string =>
  text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => variables[name] || fallback);

export interface Attachment {
  network: string;
  address: string;
  prefixLength: number;
  /** Derived from the IP address, so that every host knows its neighbours' MAC addresses without ARP. */
  mac: string;
}

export function attachments({ services, networks }: Topology, host: string): Attachment[] {
  return Object.entries(services[host]?.networks ?? {}).map(([name, { ipv4_address: address }]) => ({
    network: name,
    address,
    prefixLength: Number(subnet(networks[name], name).split("/")[1]),
    mac: macOf(address),
  }));
}

export function subnet(network: Topology["networks"][string] | undefined, name: string): string {
  const config = network?.ipam.config[0];
  if (!config) throw new Error(`compose.yml: network ${name} has no subnet`);
  return config.subnet;
}

/** Returns the locally administered MAC address that Docker would give to this IP address: 198.18.0.2 -> 02:42:c6:12:00:02. */
const macOf = (address: string) =>
  ["02", "42", ...address.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"))].join(":");

/** Returns the hosts that serve pages, in order: s1.lab -> 198.18.1.11 and so on. */
export function webHosts(topology: Topology): { service: string; name: string; address: string }[] {
  return Object.entries(topology.services).flatMap(([service, { hostname }]) => {
    const address = attachments(topology, service)[0]?.address;
    return hostname && address ? [{ service, name: hostname, address }] : [];
  });
}

/** Returns the hosts that have a control socket: all hosts with a network, except the harness. */
export function agentsOf(topology = readTopology()): string[] {
  return Object.entries(topology.services)
    .filter(([name, service]) => name !== "harness" && Object.keys(service.networks).length > 0)
    .map(([name]) => name);
}
