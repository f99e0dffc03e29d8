import type { MarkupElement } from "./markup.ts";
import { isStyleLink, relOf } from "./uses.ts";

const scriptTypes = /^((text|application)\/(x-)?(java|ecma)script|text\/(jscript|livescript|javascript1\.[0-5]))$/;
const typeOf = ({ values }: MarkupElement) => values.get("type")?.trim().toLowerCase() ?? "";

/** Whether the element is a non-module script that modern browsers run: its type is JavaScript's, and it has no `nomodule`. */
export const isClassicScript = (element: MarkupElement): boolean =>
  element.name === "script" &&
  !element.values.has("nomodule") &&
  (typeOf(element) === "" || scriptTypes.test(typeOf(element)));

/** Whether the element links to a style sheet that browsers request. This includes alternative style sheets, and style sheets for other media. */
export const isLoadedStyleLink = (element: MarkupElement): boolean =>
  isStyleLink(element) && !element.values.has("disabled") && ["", "text/css"].includes(typeOf(element));

/** Whether browsers request the files in the element's attributes even if no script runs. */
export function isLoaded(element: MarkupElement): boolean {
  if (element.isInTemplate) return false;
  if (element.name === "script") return isClassicScript(element) || typeOf(element) === "module";
  if (element.name === "input") return typeOf(element) === "image";
  return !isStyleLink(element) || isLoadedStyleLink(element);
}

/** Whether the element is a classic script for which the parser waits. Inline scripts count, too. */
export const isParserBlocking = (element: MarkupElement): boolean =>
  isClassicScript(element) && !element.values.has("async") && !element.values.has("defer");

/** Whether a browser with a screen delays the first paint for this style sheet. A media query with a condition counts as not matching. */
export const isRenderBlocking = (element: MarkupElement): boolean =>
  isLoadedStyleLink(element) &&
  !relOf(element).includes("alternate") &&
  (element.values.get("media") ?? "")
    .split(",")
    .some((medium) => ["", "all", "screen"].includes(medium.trim().toLowerCase()));
