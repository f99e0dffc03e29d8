import { type Edit, type EditedPage, originalOf } from "./edited-page.ts";
import { encodingDeclaration } from "./encoding-declaration.ts";
import { escapedValue, textEdit } from "./text-changes.ts";
import { type UsedFile, usedFiles } from "./used-files.ts";
import { relOf } from "./uses.ts";

export interface Preload {
  path: string;
  as: "script" | "style" | "font" | "image" | "fetch";
  module?: boolean;
}

/** Browsers request fonts and fetched data in anonymous CORS mode, and use a preload only for requests in the preload's mode. */
const anonymous: readonly Preload["as"][] = ["font", "fetch"];

/** Adds preload links first in the head, but after its encoding declaration. A link's URL has the query with which the document requests the file. */
export const preloaded = (files: readonly Preload[]): Edit =>
  textEdit((before, markup) => {
    const used = usedFiles(before);
    const isPreload = ({ element }: UsedFile) =>
      element?.name === "link" && relOf(element).some((word) => word === "preload" || word === "modulepreload");
    const known = new Set(used.filter((one) => isPreload(one)).map(({ original }) => original));
    const links = files.filter(({ path }, i) => !known.has(path) && files.findIndex((one) => one.path === path) === i);
    if (links.length === 0) return [];
    const at = Math.max(markup.headStart, encodingDeclaration(markup)?.end ?? 0);
    const to = links.map((file) => linkTo(before, file, used)).join("");
    return [{ start: at, end: at, to }];
  });

/** The tag ends with "/>", as XHTML requires. */
function linkTo(before: EditedPage, { path, as, module }: Preload, used: readonly UsedFile[]): string {
  const user = used.find(({ original, isShown }) => original === path && isShown);
  const copy = [...before.added.keys()].find((added) => originalOf(before, added) === path);
  const query = user?.suffix.replace(/#.*/s, "") ?? "";
  const crossorigin = anonymous.includes(as) ? "" : user?.element?.values.get("crossorigin");
  const type = before.page.typeOf(path);
  const attributes: [name: string, value: string | undefined][] = [
    ["rel", module ? "modulepreload" : "preload"],
    ["href", before.page.urlOf(user?.now ?? copy ?? path) + query],
    ["as", module ? undefined : as],
    ["type", as === "font" && type.startsWith("font/") ? type : undefined],
    ["crossorigin", crossorigin],
  ];
  const written = attributes.flatMap(([name, value]) =>
    value === undefined ? [] : ` ${name}="${escapedValue(value)}"`,
  );
  return `<link${written.join("")}/>`;
}
