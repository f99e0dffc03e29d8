/** Fails when a file has a word of the lab's former private vocabulary, and prints the plain word to use instead: `npm run lint`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Former word, as the source of a regular expression that ignores case -> what to write. */
const plainWords: Record<string, string> = {
  "foretell|foretold": "predict",
  "\\bsprung\\b|\\bspring(s|ing)? (a|the) trap": "triggered, run a trap",
  "\\bdoubted\\b": "invalid",
  "what came of": "result, measured",
  "brought page|page that (was|somebody) brought": "imported page",
  "\\basker\\b": "initiator",
  "as it was asked": "as requested",
  "\\bwhoever\\b": "anyone, who",
  "\\bheld against\\b": "checked against, compared with",
  "\\bovertaken\\b(?![`:])": "reordered",
  "\\btransits\\b": "one-way delays",
  "drawn again|\\bredr(aw|awn|ew)": "bootstrap resample",
  "\\bvouch": "valid, confirmed by",
  "\\bstrangers?\\b": "foreign traffic",
  "\\bstands? (behind|beside)\\b": "is printed next to, is computed from",
  'there is no [a-z]+ "[^"]*"; there (is|are)\\b': 'unknown page "x"; known: a, b',
  "\\bis no (value of|rule|statistic|whole number|whole record|address of|share)\\b": "is not a",
  "\\b(two|first|second|each) makings?\\b": "execution",
  "\\bdo(es)? not tell\\b": "show, report, decide",
  "\\btold apart\\b|\\btells? (them|it|two) apart\\b": "distinguish",
  "\\bcommand line goes before\\b": "command-line options override",
  "\\bbringAbout\\b|\\bbring-about\\b": "configureHosts",
};

/** Recorded results and the history of changes are never rewritten; this file has to name the words. */
const isExempt = (file: string) => /^results\/|^CHANGELOG\.md$|^package-lock\.json$|^test\/plain-words\.ts$/.test(file);
const isText = (file: string) => /\.(ts|tsx|md|sh|py|go|yml|txt|html|css)$|^lab$|Dockerfile|^\.ci\//.test(file);

const tracked = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
const patterns = Object.entries(plainWords).map(([word, plain]) => ({ pattern: new RegExp(word, "i"), plain }));
const found = tracked
  .filter((file) => isText(file) && !isExempt(file))
  .flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, i) =>
        patterns.flatMap(({ pattern, plain }) => {
          const [word] = pattern.exec(line) ?? [];
          return word === undefined ? [] : [`${file}:${i + 1}: "${word}": write ${plain}`];
        }),
      ),
  );
for (const problem of found) console.error(problem);
process.exitCode = found.length ? 1 : 0;
