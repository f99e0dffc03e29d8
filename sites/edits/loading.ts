/** Whether and how a browser loads what an element references. */

import type { MarkupElement } from "./markup.ts";
import { isStyleLink, relOf } from "./uses.ts";

const scriptTypes = /^((text|application)\/(x-)?(java|ecma)script|text\/(jscript|livescript|javascript1\.[0-5]))$/;
const typeOf = ({ values }: MarkupElement) => values.get("type")?.trim().toLowerCase() ?? "";

/** Whether it is a script that is not a module, and whose type and nomodule let browsers with modules run it. */
export const isClassicScript = (element: MarkupElement): boolean =>
  element.name === "script" &&
  !element.values.has("nomodule") &&
  (typeOf(element) === "" || scriptTypes.test(typeOf(element)));

/** Whether it is a link to a style sheet that browsers request, also for other media and as an alternative. */
export const isLoadedStyleLink = (element: MarkupElement): boolean =>
  isStyleLink(element) && !element.values.has("disabled") && ["", "text/css"].includes(typeOf(element));

/** Whether browsers request what its attributes reference, without scripts. */
export function isLoaded(element: MarkupElement): boolean {
  if (element.isInTemplate) return false;
  if (element.name === "script") return isClassicScript(element) || typeOf(element) === "module";
  if (element.name === "input") return typeOf(element) === "image";
  return !isStyleLink(element) || isLoadedStyleLink(element);
}

/** Whether it is an external script for which the parser waits. */
export const isParserBlocking = (element: MarkupElement): boolean =>
  isClassicScript(element) && !element.values.has("async") && !element.values.has("defer");

/** Whether it is a style sheet for which a browser with a screen delays the first paint. A media query's condition counts as unmet. */
export const isRenderBlocking = (element: MarkupElement): boolean =>
  isLoadedStyleLink(element) &&
  !relOf(element).includes("alternate") &&
  (element.values.get("media") ?? "")
    .split(",")
    .some((medium) => ["", "all", "screen"].includes(medium.trim().toLowerCase()));
