/** Generates docs/files.md, the reference for files that users write. The keys come from the schemas, and their meanings from the schemas' comments. */
import { readFileSync } from "node:fs";
import { z } from "zod";

/** A part of a file that people write. */
export interface FilePart {
  title: string;
  /** Text before the table. */
  text: string;
  schema: z.ZodType;
  /** The schemas whose comments explain the keys: their file, and the names of their constants. */
  source: [file: string, ...schemas: string[]];
  /** A file, or a part of a file, that the schema accepts. */
  example: string;
}

interface JsonSchema {
  type?: string | string[];
  enum?: string[];
  const?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** Generates one section of docs/files.md. */
export function sectionOf(part: FilePart): string {
  const whole = z.toJSONSchema(part.schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const { properties = {}, required = [] } =
    typeof whole.additionalProperties === "object" ? whole.additionalProperties : whole; // for a map of named entries, the keys of an entry
  const rows = Object.entries(properties).map(([key, schema]) => {
    const usual = schema.default === undefined ? "" : `\`${JSON.stringify(schema.default).replaceAll('"', "")}\``;
    return `| \`${key}\` | ${typeOf(schema)} | ${required.includes(key) ? "required" : usual} | ${meaningOf(key, part.source)} |`;
  });
  return [
    `### ${part.title}`,
    part.text,
    ["| key | value | default | meaning |", "| :-- | :-- | :-- | :-- |", ...rows].join("\n"),
    part.example
      .trim()
      .split("\n")
      .map((line) => `    ${line}`.trimEnd())
      .join("\n"),
  ].join("\n\n");
}

/** A longer list of names is printed as "a name". */
const mostNames = 8;

function typeOf(schema: JsonSchema): string {
  const {
    enum: names,
    const: name,
    oneOf,
    anyOf = oneOf,
    items,
    prefixItems,
    properties,
    additionalProperties,
    type,
  } = schema;
  if (name) return `\`${name}\``;
  if (names) return names.length > mostNames ? "a name" : names.map((name) => `\`${name}\``).join(", ");
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(", or ");
  if (prefixItems) return prefixItems.map(typeOf).join(" and ");
  if (items) return `a list of: ${typeOf(items)}`;
  if (properties && "rtt" in properties) return `axes, each with ${typeOf(properties.rtt!)}`;
  if (properties) return Object.keys(properties).length > 0 ? keysOf(properties) : "a map";
  if (typeof additionalProperties === "object") return `a map of names, each with ${typeOf(additionalProperties)}`;
  if (Array.isArray(type)) return "a value";
  return type === "integer" ? wholeNumber(schema) : (words[type ?? ""] ?? "a value");
}

const words: Readonly<Record<string, string>> = { string: "text", number: "a number", boolean: "true or false" };

const keysOf = (properties: object) =>
  `a map with ${Object.keys(properties)
    .map((key) => `\`${key}\``)
    .join(", ")}`;

function wholeNumber({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): string {
  const from = minimum > Number.MIN_SAFE_INTEGER ? ` from ${minimum}` : "";
  const to = maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : "";
  return `a whole number${from}${to}`;
}

/** The meanings of keys without a comment. */
const usualMeanings: Readonly<Record<string, string>> = {
  id: "The name",
  title: "The heading",
  source: "The source, such as a paper",
  option: "The values that are compared with the baseline's",
  baseline: "The values that options are compared with",
  comparison: "The name of a comparison",
  comparisons: "The options that are compared with the baseline, by name",
  medians: "Names of comparisons",
  differences: "Names of comparisons",
  summary: "Names of comparisons",
  rows: "The axis with a row for each value",
  columns: "The axis with a column for each value",
  x: "The axis that is drawn horizontally",
  logarithmic: "Whether the scale of `x` is logarithmic",
  where: "Only conditions with these values of axes",
  metric: "A name from `./lab list metrics`",
  name: "A name from `./lab list models`",
  statistic: "How a condition's loads are summarised: `median`, `mean`, `geometric mean`, or a quantile such as `p90`",
  statistics: "How loads are summarised: `median`, `mean`, `geometric mean`, or a quantile such as `p90`",
};

/** Finds the comment before the key, in the first of these schemas that has a comment there. */
function meaningOf(key: string, [file, ...schemas]: FilePart["source"]): string {
  const text = readFileSync(file, "utf8");
  for (const name of schemas) {
    const from = text.indexOf(`const ${name} = `);
    if (from < 0) throw new Error(`${file} has no schema ${name}`);
    const [own = ""] = text.slice(from).split(/\n(?=\/\*\*|export |const |function )/, 1);
    const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*${key}:`).exec(own)?.[1];
    if (comment)
      return comment
        .replaceAll(/\s*\n\s*\* ?/g, " ")
        .trim()
        .replace(/\.$/, "")
        .replaceAll("|", "\\|");
  }
  return usualMeanings[key] ?? "";
}
