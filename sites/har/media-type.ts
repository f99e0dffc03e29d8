/** Reads the media type of a response as browsers do (Fetch Standard, "extract a MIME type"). */
import { MIMEType } from "node:util";

interface MediaType {
  type: string;
  charset: string | null;
}

/** @param recorded the values of the fields that may have the type. The first valid type counts; the charset may come from another field. */
export function mediaTypeOf(recorded: readonly (string | null | undefined)[]): MediaType {
  const all = recorded.map((one) => lastOf(one ?? "")).filter(({ type }) => type !== "");
  return { type: all[0]?.type ?? "", charset: all.find(({ charset }) => charset !== null)?.charset ?? null };
}

/** Returns the last valid type in a list. If this type has no charset and equals the type before it, it gets that type's charset. */
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
