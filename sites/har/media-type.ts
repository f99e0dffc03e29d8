/** The media type of a response, as browsers read it (Fetch Standard, "extract a MIME type"). */
import { MIMEType } from "node:util";

interface MediaType {
  /** "text/html", without parameters; empty if it was not recorded. */
  type: string;
  charset: string | null;
}

/** @param recorded the same type, as several fields have it: the first valid one counts, and a charset may be in another one */
export function mediaTypeOf(recorded: readonly (string | null | undefined)[]): MediaType {
  const all = recorded.map((one) => lastOf(one ?? "")).filter(({ type }) => type !== "");
  return { type: all[0]?.type ?? "", charset: all.find(({ charset }) => charset !== null)?.charset ?? null };
}

/** Of several types the last valid one counts. It takes over the charset of one before it with the same name. */
function lastOf(text: string): MediaType {
  let last: MediaType = { type: "", charset: null };
  for (const [part] of text.matchAll(/(?:"(?:\\.|[^"\\])*"?|[^",])+/gs)) {
    const parsed = parsedType(part);
    if (!parsed || parsed.essence === "*/*") continue;
    const before = parsed.essence === last.type ? last.charset : null;
    last = { type: parsed.essence, charset: parsed.params.get("charset") ?? before };
  }
  return last;
}

function parsedType(text: string): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}
