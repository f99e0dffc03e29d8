/**
 * Text from others, such as names of files, URLs, reasons and workers' names, is printed only as text. What a terminal, a
 * CI server's log or Markdown would act on is written as an escape, as in JSON: "\u001b".
 */

const escaped = (letter: string): string =>
  Array.from({ length: letter.length }, (_, i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

/** Controls but line feeds and tabs; what changes the direction of text, is not seen, or separates lines. */
const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What a CI server reads as a command: GitHub's at the start of a line, "##[" and the like anywhere. */
const commands: readonly (readonly [RegExp, string])[] = [
  [/^(\s*):(?=:)/gm, "$1\\u003a"],
  [/##(?=\[|vso|teamcity)/gi, "#\\u0023"],
];

/** Finds the passwords in addresses of queues, also in mistyped ones, and in URLs. */
const passwords: readonly (readonly [RegExp, string])[] = [
  [/\b((?:http|ws)s?:\/\/)[^\s/?#@"'<>]{1,500}@/gi, "$1***@"],
  [
    /\b(?!(?:http|ws)s?:|file:)([a-z][\w+.-]{0,30}:+\/+|redis\w{0,9}(?!\w):*\/*)(?![:/]*PASSWORD@)[^\s"'`<>]{1,500}@/gi,
    "$1***@",
  ],
  [/(?<![\w/.@%-])[\w%-]{0,60}:(?!PASSWORD@)[^\s/"'`<>@]{1,200}@(?=[\w[])/g, "***@"],
  [/\b(redis\w{0,9}:\/*):(?![^\s@]{0,500}@)[^\s"'`<>@]{1,500}/gi, "$1:***"],
];

const replaced = (text: string, by: readonly (readonly [RegExp, string])[]): string =>
  by.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);

/** The one function that takes passwords out of a text. The lab's own examples have the word PASSWORD. */
export const withoutPasswords = (text: string): string => replaced(text, passwords);

/** An address of a queue as the user typed it, which may be invalid: everything before an @ may be its password. */
export const shownAddress = (address: string): string => forTerminal(address.replace(/^(\w{0,9}:\/*)?.*@/is, "$1***@"));

/** A text for a terminal or a log. Only what they would act on is escaped, and line breaks stay. */
export const forTerminal = (text: string): string =>
  replaced(withoutPasswords(text).replace(/\r\n/g, "\n").replace(controls, escaped), commands);

/** Foreign text within a line. */
export const inOneLine = (word: string): string =>
  forTerminal(word.replace(/[\n\t]/g, (letter) => (letter === "\n" ? "\\n" : "\\t")));

/** What Markdown may read as anything but letters; a line of a table ends with "|", and GitHub links "@name" and URLs. */
const markup =
  /[\\`*|~]|<(?=[^\s\d=])|^\s*[#>+=-]|^\s*\d+[.)]\s|\](?=[([:])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#|\w+;)|(?<!\w)@(?=\w)|:\/\/|\bwww\.|^\s|\s$|\s\s|^$/u;

/** What ends code, a cell or a link's text, begins HTML, or names a user: not every viewer of Markdown supports code. */
const evenInCode = /[`|]|<(?=[^\s\d=])|\](?=[([:])|(?<!\w)@(?=\w)/g;

/** Foreign text within a line of Markdown: unchanged if Markdown reads it as letters only, else as code. */
export function inMarkdown(word: string): string {
  const line = inOneLine(word);
  return markup.test(line) ? `\`${line.replace(evenInCode, escaped)}\`` : line;
}
