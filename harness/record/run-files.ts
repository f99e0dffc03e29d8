/** Reads runs, which may be somebody else's: follows no symbolic link, opens only files and folders, and limits what it reads and unpacks. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { usageError } from "../../schema/errors.ts";

/** @throws LabError (usage) that names the first entry in or below the folder that is neither a file nor a folder */
export function refuseLinks(folder: string): void {
  for (const entry of entriesOf(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) refuseLinks(path);
    else if (!entry.isFile())
      throw usageError(
        `${path} is ${entry.isSymbolicLink() ? "a symbolic link" : "not a file"}: a run has only files and folders; put a copy in its place, or remove it`,
      );
  }
}

/** @returns no entries if a run in progress has just removed the folder */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The limit for run.json. A large run.json consists mostly of the requests of imported pages. */
export const mostManifestBytes = 50e6;

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Opens a regular file. Does not wait, even if the path is a pipe without a writer. @throws LabError (usage) if the path is not a regular file */
export function openFile(path: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ELOOP" ? usageError(`${path} is a symbolic link`) : error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw usageError(`${path} is not a file`);
}

/** @throws LabError (usage) if the path is not a file, or the file is larger than `mostBytes` */
export function readBytes(path: string, mostBytes: number): Buffer {
  const file = openFile(path);
  try {
    const { size } = fstatSync(file);
    if (size > mostBytes) throw usageError(`${path} has ${megabytes(size)}; at most ${megabytes(mostBytes)} are read`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

const piece = Buffer.alloc(1 << 20);

/** Returns the SHA-256 of a file, which may be larger than memory. */
export function fileHash(path: string): string {
  const hash = createHash("sha256");
  const file = openFile(path);
  try {
    for (;;) {
      const read = readSync(file, piece);
      if (read === 0) return hash.digest("hex");
      hash.update(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}

export function beginningOf(path: string, bytes: number): string {
  const file = openFile(path);
  try {
    const content = Buffer.alloc(bytes);
    return content.toString("utf8", 0, readSync(file, content, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}

/** More levels than any record has, but few enough for functions that read records by recursion. */
const mostLevels = 200;

/** @throws Error if the text is not JSON, or is nested too deeply */
export function parsedJson(text: string): unknown {
  const json: unknown = JSON.parse(text);
  let level = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (inString) {
      if (letter === "\\") i++;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "{" || letter === "[") {
      if (++level > mostLevels) throw new Error(`it is nested more than ${mostLevels} levels deep`);
    } else if (letter === "}" || letter === "]") level--;
  }
  return json;
}

/** Unpacks a file with Brotli or gzip, as the path's ending says. @throws LabError (usage) if it is damaged, or unpacks to more than `mostBytes` */
export function unpack(path: string, mostBytes: number): Buffer {
  const packed = readBytes(path, mostBytes);
  const unpacker = path.endsWith(".br") ? brotliDecompressSync : gunzipSync;
  try {
    return unpacker(packed, { maxOutputLength: mostBytes });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageError(
      code === "ERR_BUFFER_TOO_LARGE"
        ? `${path} unpacks to more than ${megabytes(mostBytes)}, the limit for such a file`
        : `${path} is cut off or damaged: ${message}`,
    );
  }
}
