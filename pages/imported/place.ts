/** Places in a text that name resources. */

/**
 * What a reference is for:
 * - "object": a resource, from whichever host.
 * - "document": what must come from the host of the document that names it, as frames do, or could not be seen or used.
 * - "connection": a host alone, to connect to.
 * - "base": what the document's relative URLs are relative to.
 */
export interface Reference {
  url: string;
  as: "object" | "document" | "connection" | "base";
}

export interface Place {
  start: number;
  end: number;
  references: Reference[];
  /** What stands there with other URLs, one for each reference. */
  write(urls: string[]): string;
}

/** The text with each place's references rewritten. @param places in any order, none within another */
export function rewrite(text: string, places: readonly Place[], to: (reference: Reference) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, references, write } of places.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), write(references.map(to)));
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}
