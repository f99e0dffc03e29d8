import { z } from "zod";
import { readYamlFile } from "../schema/yaml-file.ts";

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
  // What only an engine needs: namespaces have this file system, these programs, and no other capabilities to drop.
  attach: z.unknown().optional(),
  build: z.unknown().optional(),
  image: z.unknown().optional(),
  cap_add: z.unknown().optional(),
  cap_drop: z.unknown().optional(),
  shm_size: z.unknown().optional(),
  user: z.unknown().optional(),
  init: z.unknown().optional(),
});
/** A service that has to be asked for by its name (profiles) is no host of the lab. */
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

/**
 * compose.yml: the subset of the Compose file format that both substrates honour; an unknown key is an error, so that
 * nothing is asked of the namespaces in vain.
 */
export function readTopology(path = "compose.yml"): Topology {
  const strict = schema.superRefine((file, context) => {
    for (const key of Object.keys(file))
      if (!topLevel.includes(key) && !key.startsWith("x-"))
        context.addIssue({ code: "custom", message: `unknown key "${key}"; known: ${topLevel.join(", ")}, x-…` });
  });
  return readYamlFile(path, strict, interpolated);
}

/** As Compose does: the environment's value, else the default beside it. */
const interpolated = (text: string) =>
  text.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => process.env[name] || fallback);

export interface Attachment {
  network: string;
  address: string;
  prefixLength: number;
  /** Made from the address, so that every host knows every neighbour's without asking. */
  mac: string;
}

/** The networks a host stands on. */
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

/** Locally administered, like Docker's own for the address: 198.18.0.2 -> 02:42:c6:12:00:02. */
const macOf = (address: string) =>
  ["02", "42", ...address.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"))].join(":");

/** The hosts pages are served from, in order: s1.lab -> 198.18.1.11 and so on. */
export function webHosts(topology: Topology): { service: string; name: string; address: string }[] {
  return Object.entries(topology.services).flatMap(([service, { hostname }]) => {
    const address = attachments(topology, service)[0]?.address;
    return hostname && address ? [{ service, name: hostname, address }] : [];
  });
}

/** Every host that has a control socket, the harness aside. */
export function agentsOf(topology = readTopology()): string[] {
  return Object.entries(topology.services)
    .filter(([name, service]) => name !== "harness" && Object.keys(service.networks).length > 0)
    .map(([name]) => name);
}
