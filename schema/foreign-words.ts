/**
 * Text that the lab did not write ("foreign"), such as file names, URLs, reasons and workers' names, is printed only as plain text. Characters
 * that a terminal, a CI server's log or Markdown would interpret are escaped as in JSON: "\u001b".
 */

const escaped = (letter: string): string =>
  Array.from({ length: letter.length }, (_, i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");

/** Control characters except line feeds and tabs, invisible characters, separators of lines, and characters that change the direction of text. */
const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What a CI server interprets as a command: "::" for GitHub at the start of a line, "##[" and similar anywhere. */
const commands: readonly (readonly [RegExp, string])[] = [
  [/^(\s*):(?=:)/gm, "$1\\u003a"],
  [/##(?=\[|vso|teamcity)/gi, "#\\u0023"],
];

/** Patterns that find passwords in URLs and in addresses of queues, also in mistyped addresses, with their replacements. */
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

/** Replaces the passwords in a text by ***. The word PASSWORD stays, because the lab's own examples use it. */
export const withoutPasswords = (text: string): string => replaced(text, passwords);

/** Prepares a queue's address for a terminal. Hides all from the scheme to the last @: in a mistyped address, any of it may be the password. */
export const shownAddress = (address: string): string => forTerminal(address.replace(/^(\w{0,9}:\/*)?.*@/is, "$1***@"));

/** Prepares a text for a terminal or a log. Only characters that terminals or logs would interpret are escaped; line breaks stay. */
export const forTerminal = (text: string): string =>
  replaced(withoutPasswords(text).replace(/\r\n/g, "\n").replace(controls, escaped), commands);

/** Prepares foreign text for use within a line: line feeds and tabs are escaped, too. */
export const inOneLine = (word: string): string =>
  forTerminal(word.replace(/[\n\t]/g, (letter) => (letter === "\n" ? "\\n" : "\\t")));

/** What Markdown may interpret as markup. This includes "|" in a table, and "@name" and URLs, which GitHub turns into links. */
const markup =
  /[\\`*|~]|<(?=[^\s\d=])|^\s*[#>+=-]|^\s*\d+[.)]\s|\](?=[([:])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#|\w+;)|(?<!\w)@(?=\w)|:\/\/|\bwww\.|^\s|\s$|\s\s|^$/u;

/** What ends a code span, a cell or a link's text, begins HTML, or mentions a user. Escaped even in code spans, which some viewers ignore. */
const evenInCode = /[`|]|<(?=[^\s\d=])|\](?=[([:])|(?<!\w)@(?=\w)/g;

/** Prepares foreign text for use within a line of Markdown. It stays unchanged if it contains no markup, and becomes code otherwise. */
export function inMarkdown(word: string): string {
  const line = inOneLine(word);
  return markup.test(line) ? `\`${line.replace(evenInCode, escaped)}\`` : line;
}
