/**
 * How a reference is used:
 * - "object": a resource that any host may serve.
 * - "unasked": a resource that browsers request only for their own user interface, or when users act. No load in the lab requests it.
 * - "document": a resource that must come from the document's own host, such as a frame.
 * - "connection": only a host to connect to.
 * - "base": the base of the document's relative URLs.
 */
export interface Reference {
  url: string;
  as: "object" | "unasked" | "document" | "connection" | "base";
}

export interface Place {
  start: number;
  end: number;
  references: Reference[];
  /** Writes the place's new text. @param urls a new URL for each reference */
  write(urls: string[]): string;
}

/** Rewrites the references in each place. A place with references keeps its text if none changes. @param places places in any order, not nested */
export function rewrite(text: string, places: readonly Place[], to: (reference: Reference) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, references, write } of places.toSorted((a, b) => a.start - b.start)) {
    const urls = references.map(to);
    if (references.length > 0 && references.every(({ url }, i) => url === urls[i])) continue;
    parts.push(text.slice(from, start), write(urls));
    from = end;
  }
  return [...parts, text.slice(from)].join("");
}
