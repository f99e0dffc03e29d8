/** Generates JSON Schema files for other tools from the schemas that check every line. */
import { z } from "zod";
import { calibrationSchema, laneSchema, loadSchema } from "../../schema/records.ts";
import { traceSchema } from "../../schema/trace.ts";
import { manifestSchema } from "./manifest.ts";

const schemas = {
  run: manifestSchema,
  lane: laneSchema,
  calibration: calibrationSchema,
  load: loadSchema,
  trace: traceSchema,
};

/** @returns name of a file in docs/schema -> the file's text */
export const jsonSchemas = (): Map<string, string> =>
  new Map(
    Object.entries(schemas).map(([name, schema]) => [
      `${name}.schema.json`,
      `${JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))}\n`,
    ]),
  );
