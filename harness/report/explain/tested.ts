/** How far replays were off where what they foretell was measured: made by `./lab bench explain RUN --write`, read by `./lab predict`. */
import { existsSync } from "node:fs";
import { z } from "zod";
import { readYamlFile } from "../../../schema/yaml-file.ts";

const testedError = z.strictObject({
  /** What was changed. */
  kind: z.string(),
  /** Whether packets were lost by chance in the world that was foretold. */
  lossy: z.boolean(),
  pairs: z.int(),
  /** Shares of the measured page load time. */
  medianError: z.number(),
  largestError: z.number(),
});
export type TestedError = z.infer<typeof testedError>;

const testedSchema = z.strictObject({ run: z.string(), errors: z.array(testedError) });
export type Tested = z.infer<typeof testedSchema>;

/** In the run's folder. */
export const testedFile = "foretold.json";
const committed = `results/interventions/${testedFile}`;

/** @returns null where nobody has tested it */
export const readTested = (): Tested | null => (existsSync(committed) ? readYamlFile(committed, testedSchema) : null);
