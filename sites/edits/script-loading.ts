import type { Edit } from "./edited-page.ts";
import { isParserBlocking } from "./loading.ts";
import { documentPlaces } from "./references.ts";
import { addedAttribute, textEdit } from "./text-changes.ts";

/** Adds the attribute to classic scripts that have neither async nor defer. @param path the script's path in the page */
export const scriptLoading = (path: string, attribute: "async" | "defer"): Edit =>
  textEdit((before, markup) =>
    documentPlaces(before, markup)
      .filter((place) => place.attribute === "src" && place.files.some((file) => file?.original === path))
      .filter(({ element }) => isParserBlocking(element) && !element.isInTemplate)
      .map(({ element }) => addedAttribute(markup.text, element, attribute)),
  );
