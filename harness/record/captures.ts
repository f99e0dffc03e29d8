/** Captures: extra loads with their packets, logs and film, each in its own folder. The run's results do not include them. */
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { ExitCode, LabError } from "../../schema/errors.ts";
import type { Captured } from "../../schema/lane-messages.ts";
import { fileNameSchema } from "../../schema/names.ts";
import { loadSchema } from "../../schema/records.ts";
import { type Film, filmOf, filmSchema, isFrame } from "./film.ts";
import { parsedJson, readBytes } from "./run-files.ts";

/** The file that describes a capture. */
const about = "load.json";
const filmFile = "film.json";
/** The limit for a load's line, and for the list of a film's frames. */
const mostDescriptionBytes = 64e6;
const aboutSchema = z.strictObject({ sample: z.literal(false), load: loadSchema });

export interface SavedCapture {
  folder: string;
  condition: string;
  /** null if the load failed. */
  pageLoadMs: number | null;
  reason: string | null;
  /** All files of the capture, except for the frames of its film. */
  files: { name: string; bytes: number }[];
  film: Film | null;
}

const unfinished = ".part";
const capturesOf = (folder: string) => `${folder}/captures`;
const nameOf = (condition: string) => fileNameSchema.parse(condition.replaceAll("/", "_"));

/** Writes a capture completely or not at all. It replaces an earlier capture of the condition. */
export function writeCapture(folder: string, { load, files: encoded }: Captured): void {
  const path = `${capturesOf(folder)}/${nameOf(load.condition)}`;
  const part = `${path}${unfinished}`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const files = new Map(Object.entries(encoded).map(([name, content]) => [name, Buffer.from(content, "base64")]));
  for (const [name, content] of files) writeFileSync(`${part}/${name}`, content);
  const film = filmOf(files);
  if (film) writeFileSync(`${part}/${filmFile}`, `${JSON.stringify(film, null, 2)}\n`);
  writeFileSync(`${part}/${about}`, `${JSON.stringify({ sample: false, load }, null, 2)}\n`);
  rmSync(path, { recursive: true, force: true });
  renameSync(part, path);
}

export function captureFolders(folder: string): string[] {
  const parent = capturesOf(folder);
  if (!existsSync(parent)) return [];
  const paths = readdirSync(parent).map((name) => `${parent}/${name}`);
  return paths.filter((path) => !path.endsWith(unfinished) && existsSync(`${path}/${about}`)).sort();
}

/** @throws LabError that names an invalid file or a missing frame */
export function readCapture(path: string): SavedCapture {
  const { load } = readAs(`${path}/${about}`, "load line", aboutSchema);
  const all = readdirSync(path).sort();
  const other = all.find((name) => !lstatSync(`${path}/${name}`).isFile());
  if (other) throw new LabError(ExitCode.failed, `${path}/${other} is not a file; a capture has only files: remove it`);
  const files = all.filter((name) => !isFrame(name));
  return {
    folder: path,
    condition: load.condition,
    pageLoadMs: load.ok ? load.pageLoadMs : null,
    reason: load.ok ? null : load.reason,
    files: files.map((name) => ({ name, bytes: lstatSync(`${path}/${name}`).size })),
    film: files.includes(filmFile) ? readFilm(path) : null,
  };
}

function readAs<Content>(path: string, what: string, schema: z.ZodType<Content>): Content {
  try {
    return schema.parse(parsedJson(readBytes(path, mostDescriptionBytes).toString()));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new LabError(ExitCode.failed, `${path} is not a valid ${what}: ${problem}`);
  }
}

function readFilm(folder: string): Film {
  const film = readAs(`${folder}/${filmFile}`, "film", filmSchema);
  const missing = film.frames.map(({ name }) => `${folder}/${name}`).find((path) => !existsSync(path));
  if (missing) throw new LabError(ExitCode.failed, `${missing} does not exist, although ${filmFile} names it`);
  return film;
}
