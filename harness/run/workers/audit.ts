/** Audits workers: two of them make the same chunk, and their lines must be the same. */
import { ExitCode, LabError } from "../../../schema/errors.ts";
import { sha256 } from "../../../schema/sha256.ts";
import type { Received } from "./received-result.ts";

/** Selects a share of all chunks by a hash of their jobs' names, so that a resumed run audits the same chunks. @param share from 0 to 1 */
export const isAudited = (jobId: string, share: number): boolean =>
  Number.parseInt(sha256(jobId).slice(0, 8), 16) / 2 ** 32 < share;

/** @throws LabError that names both workers and the first line that differs */
export function refuseDifference(chunk: number, one: Received, other: Received): void {
  const [lines, others] = [one, other].map(linesOf) as [string[], string[]];
  const longer = Math.max(lines.length, others.length);
  const at = Array.from({ length: longer }, (_, i) => i).find((i) => lines[i] !== others[i]);
  if (at === undefined) return;
  throw new LabError(
    ExitCode.failed,
    `chunk ${chunk} has different bytes on ${one.worker} and ${other.worker}; the first line that differs:\n  ${lines[at] ?? "nothing"}\n  ${others[at] ?? "nothing"}\nOne of the two machines is faulty, or the virtual clock depends on something that differs between them`,
  );
}

const linesOf = ({ messages, broke }: Received): string[] => [
  ...messages.map((message) => JSON.stringify(message)),
  ...(broke === undefined ? [] : [broke]),
];
