/** compose.workers.yml and kubernetes.workers.yml: no container has a privilege that it does not need. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";

interface Service {
  cap_drop?: string[];
  security_opt?: string[];
  privileged?: boolean;
  ports?: unknown[];
  networks?: string[];
}

test("Compose gives workers, run and queue no capabilities, no published ports and no route to other networks", () => {
  const text = readFileSync("compose.workers.yml", "utf8");
  const { services, networks } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    networks: Record<string, { internal?: boolean }>;
  };
  assert.deepEqual(Object.keys(services), ["queue", "run", "worker"]);
  for (const [name, { cap_drop, security_opt, privileged, ports, networks: joined }] of Object.entries(services)) {
    assert.deepEqual([cap_drop, security_opt], [["ALL"], ["no-new-privileges:true"]], name);
    assert.deepEqual([privileged, ports, joined], [undefined, undefined, ["queue"]], name);
  }
  assert.deepEqual(networks, { queue: { internal: true } });
});

interface Pod {
  automountServiceAccountToken: boolean;
  securityContext: { runAsNonRoot: boolean };
  initContainers?: { name: string; securityContext: object }[];
  containers: { name: string; securityContext: object }[];
}

test("no pod on Kubernetes has a privilege, a writable root file system, or access to the cluster's API", () => {
  const documents = parseAllDocuments(readFileSync("kubernetes.workers.yml", "utf8"));
  const specs = documents.map((one) => (one.toJS() as { spec: { template?: { spec: Pod } } }).spec);
  const pods = specs.flatMap(({ template }) => (template ? [template.spec] : []));
  assert.equal(pods.length, 3);
  for (const { automountServiceAccountToken, securityContext, initContainers = [], containers } of pods) {
    assert.deepEqual([automountServiceAccountToken, securityContext.runAsNonRoot], [false, true]);
    for (const container of [...initContainers, ...containers])
      assert.deepEqual(
        container.securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
        container.name,
      );
  }
});
