import { usageError } from "../../schema/errors.ts";
import { inOneLine } from "../../schema/foreign-words.ts";
import { parsedUrl } from "../../schema/parsed-url.ts";

/** Parses a site's address, with or without https://, into a URL without a fragment. @throws LabError (usage) if this URL cannot be recorded */
export function typedUrl(text: string): string {
  const wrong = (why: string) => usageError(`"${inOneLine(text)}": ${why}, as in https://example.com/`);
  const [, scheme] = /^([a-z][a-z\d+.-]*):(?!\d)/i.exec(text) ?? [];
  if (scheme && !/^https?$/i.test(scheme)) throw wrong(`${scheme}: cannot be recorded; give the address of a site`);
  const full = scheme ? text : `https://${text}`;
  const url = text.trim() === "" ? null : parsedUrl(full);
  if (!url) throw wrong("not a URL; give the address of a site");
  if (url.username || url.password)
    throw wrong("users and passwords in URLs are not supported; give the address alone");
  url.hash = "";
  return url.href;
}
