/** The README.md of a bundle, for a reader who has only the archive. */
import { existsSync, readdirSync } from "node:fs";
import { markdownTable } from "markdown-table";
import { inMarkdown } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import { verdictOn } from "../judge/run/judged-loads.ts";
import { readClaims } from "../plan/claims.ts";
import { codeIn } from "../record/added/trusted.ts";
import { inBundle } from "../record/bundle.ts";
import { conditionsOfRun } from "../record/manifest.ts";
import type { SavedRun } from "../record/records.ts";
import { renderVerification } from "../verify/verification.ts";

const run = `../${inBundle.run}`;

/** @param lab the path of the lab's source in the bundle */
export function evaluatorReadme(saved: SavedRun, lab: string, hasMachine: boolean): string {
  const { manifest } = saved;
  const { experiment, clock, commit, loads } = manifest;
  const verdict = verdictOn(saved);
  return `# ${inMarkdown(experiment.title)}

A run of [Pageload Lab](lab/README.md): ${counted(conditionsOfRun(manifest).length, "condition")}, ${counted(loads, "load")} of each, on the ${clock} clock.
It was made on ${manifest.createdAt.slice(0, 10)} by commit ${commit}. Source of the experiment: ${inMarkdown(experiment.source)}.

| file | what it is |
| :-- | :-- |
| run/ | the run: every load with its evidence (lab/docs/records.md) |
| tables.md | the run's tables, as printed when the bundle was made |
| lab/ | the lab's source at that commit${hasMachine ? ", with the guests' kernel and root image, Node.js and modules" : ""} |
| SHA256SUMS | \`sha256sum --check SHA256SUMS\` compares all files |
| CITATION.cff | how to cite the run |

## Check it

${requirements(clock, hasMachine)}

    cd lab
${trusting(saved)}    ./lab verify ${run}
    ./lab tables ${run}
${commands(saved, lab).join("\n")}

\`verify\` judges every load again, from its evidence alone (lab/docs/proof.md). When the bundle was made, it printed:

> ${renderVerification(verdict).split("\n", 1)[0]}

with the digest ${verdict.digest}. \`tables\` prints the text of tables.md.${commit.endsWith("+") ? `\n\nWhen the run was made, the lab's files differed from commit ${commit.slice(0, -1)}. lab/ has the files of the commit, so it may judge the run differently.` : ""}

## Repeat it

${again(saved, lab, hasMachine)}

## Versions

${versionsTable(saved)}
${packageLists(saved.folder)}`;
}

const requirements = (clock: string, hasMachine: boolean): string =>
  hasMachine
    ? "The lab needs Debian 12 or 13 on x86-64, but neither a network nor root privileges. Repeating loads also needs 4 GB of memory."
    : `The lab needs Debian 12 or 13. The first call of ./lab needs a network, to install Node.js (20.19 or later) and modules${clock === "virtual" ? "; the first repetition of loads also builds a kernel and a root image" : ""}.`;

const trusting = ({ manifest }: SavedRun): string =>
  codeIn(manifest.added ?? {}).length
    ? `    ./lab trust ${run}       # the run used its own code, in run/added/: this allows ./lab to run it\n`
    : "";

const commands = ({ manifest: { name, experiment } }: SavedRun, lab: string): string[] => [
  ...(readClaims(name) ? [`    ./lab claims ${run}      # checks the experiment's claims`] : []),
  ...(experiment.figures?.length ? [`    ./lab figures ${run}     # into run/figures/`] : []),
  ...(existsSync(`${lab}/harness/cli/commands/export.ts`) ? [`    ./lab export ${run} --csv`] : []),
  ...(existsSync(`${lab}/harness/cli/commands/report.ts`)
    ? [`    ./lab report ${run}      # as a page for a browser`]
    : []),
];

function again({ manifest, lanes }: SavedRun, lab: string, hasMachine: boolean): string {
  if (manifest.clock === "real")
    return `    ./lab reproduce ${run}

repeats all loads on the real clock, in network namespaces or containers, and compares the two runs. Times differ as they do between any two samples;
the comparison prints by how much.`;
  const command = existsSync(`${lab}/harness/cli/commands/reproduce.ts`)
    ? `./lab reproduce ${run}`
    : `./lab verify ${run} --again 1`;
  return `    ${command}

repeats one chunk of the run's loads, and compares the lines byte by byte; \`--chunks all\` repeats all ${lanes.length} chunks. ${
    hasMachine
      ? "The command uses the kernel and the root image of this bundle."
      : "With another kernel or other packages the bytes differ, and the command reports this. A bundle made with --with-machine contains the run's kernel and packages."
  }`;
}

function versionsTable({ lanes, manifest }: SavedRun): string {
  const known = new Map<string, Set<string>>([["Pageload Lab", new Set([manifest.commit])]]);
  const note = (name: string, value: string) => known.set(name, (known.get(name) ?? new Set()).add(value));
  for (const { versions, machine, shaper } of lanes) {
    note("kernel", machine.kernel);
    note("shaper", `${shaper.name} ${shaper.kernel}`);
    note("processor", `${machine.cpu}, ${counted(machine.cores, "core")}`);
    for (const [name, value] of Object.entries(versions)) note(name, value);
  }
  const rows = [...known].map(([name, values]) => [name, [...values].join("; ")].map(inMarkdown));
  return markdownTable([["what", "version"], ...rows]);
}

const packageLists = (folder: string): string => {
  const lists = readdirSync(folder).filter((file) => /^packages-\w+\.txt$/.test(file));
  return lists.length
    ? `\nAll packages of the run's root image, with versions and SHA-256: ${lists.map((file) => `run/${file}`).join(", ")}.`
    : "";
};
