import { readHarEntries } from "../../pages/har/read-har.ts";
import { surveyOf } from "../../pages/har/site-survey.ts";
import { surveyMarkdown } from "../report/survey.ts";

const renderers = { md: surveyMarkdown, json: (pages: unknown) => `${JSON.stringify(pages, null, 2)}\n` };
export const surveyFormats = Object.keys(renderers);

/** Recordings of anybody's pages. */
export function survey(files: string[], { format }: { format: keyof typeof renderers }): void {
  process.stdout.write(renderers[format](files.flatMap((file) => surveyOf(readHarEntries(file)))));
}
