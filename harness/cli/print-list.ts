import { inOneLine } from "../../schema/foreign-words.ts";
import { print } from "../output/output.ts";

/** Prints a sentence, and below it at most `most` lines, which may be foreign text such as URLs. Without lines, prints nothing. */
export function printList(lines: readonly string[], sentence: string, most = Number.POSITIVE_INFINITY): void {
  if (lines.length === 0) return;
  const some = lines.slice(0, most).map((line) => `  ${inOneLine(line)}`);
  const more = lines.length - some.length;
  print([`\n${sentence}`, ...some, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n"));
}
