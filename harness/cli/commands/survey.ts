import type { Command } from "commander";
import { readHarEntries } from "../../../sites/har/har-entries.ts";
import { surveyOf } from "../../../sites/har/site-survey.ts";
import { surveyMarkdown } from "../../../studies/survey.ts";
import { print, say } from "../../output/output.ts";
import { formatOf, userPaths } from "./options.ts";

const renderers = { md: surveyMarkdown, json: (pages: unknown) => JSON.stringify(pages, null, 2) };

function survey(files: string[], { format }: { format: keyof typeof renderers }): void {
  const pages = files.flatMap((file) => {
    const { entries, leftOut } = readHarEntries(file);
    for (const sentence of leftOut.sentences()) say(`${file}: ${sentence}`);
    return surveyOf(entries);
  });
  print(renderers[format](pages));
}

export const addTo = (lab: Command) =>
  lab
    .command("survey")
    .description("print recorded pages' hosts, resources, sizes and round trips (Tables 2 and 3 of the SPDY draft)")
    .argument("<file...>", "HARs, as browsers' developer tools save them", userPaths)
    .addOption(formatOf(renderers))
    .action(survey);
