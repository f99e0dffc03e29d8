import { inOneLine } from "../../schema/foreign-words.ts";
import { print } from "../output/output.ts";

/** Prints lines, which may be foreign text such as a page's URLs, below a sentence; nothing if there are no lines. @param most the largest number of lines to print */
export function printList(lines: readonly string[], sentence: string, most = Number.POSITIVE_INFINITY): void {
  if (lines.length === 0) return;
  const some = lines.slice(0, most).map((line) => `  ${inOneLine(line)}`);
  const more = lines.length - some.length;
  print([`\n${sentence}`, ...some, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n"));
}
