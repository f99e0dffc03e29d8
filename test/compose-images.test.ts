/** Builds the images of compose.yml while other tests run, because building takes minutes. alone/compose.test.ts finds them in the engine's cache. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cannotShape as skip } from "./docker/engine.ts";
import { LabOnEngine } from "./docker/lab.ts";

test("a user's engine builds an image for each service of compose.yml", { skip }, async () => {
  const lab = await LabOnEngine.start();
  try {
    const { services } = JSON.parse(await lab.compose("config", "--format", "json")) as {
      services: Record<string, { image?: string }>;
    };
    for (const [name, { image = `${lab.project}-${name}` }] of Object.entries(services))
      assert.match(await lab.run("docker", "image", "inspect", "--format", "{{.Id}}", image), /^sha256:/, name);
  } finally {
    await lab.stop();
  }
});
