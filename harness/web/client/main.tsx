/** The report's page: its frame, and the view that the address names. */
import { type ComponentChildren, render } from "preact";
import { useEffect, useErrorBoundary, useState } from "preact/hooks";
import type { ReportView } from "../build.ts";
import { Compare } from "./compare.tsx";
import { forget, load } from "./data.ts";
import { Figures } from "./figures.tsx";
import { Lab } from "./lab.tsx";
import { Load } from "./load-page.tsx";
import { Overview } from "./overview.tsx";
import { Published } from "./published.tsx";
import { linkTo, type Route, useRoute } from "./route.ts";

type View = (props: { report: ReportView; route: Route }) => ComponentChildren;

const views: Record<string, { title: string; view: View }> = {
  "": { title: "Overview", view: Overview },
  compare: { title: "Compare", view: Compare },
  load: { title: "A load", view: Load },
  figures: { title: "Figures", view: Figures },
  published: { title: "Published", view: Published },
  lab: { title: "The lab", view: Lab },
};
const inMenu = ({ runs }: ReportView) => [
  "",
  "compare",
  ...(runs.some(({ figures }) => figures.length) ? ["figures"] : []),
  ...(runs.some(({ hasPublished }) => hasPublished) ? ["published"] : []),
  "lab",
];

function Frame({ report }: { report: ReportView }) {
  const route = useRoute();
  const current = views[route.view] ? route.view : "";
  const { title, view } = views[current]!;
  useEffect(() => {
    document.title = `${title} · ${report.runs[0]!.title} · Pageload Lab`;
  }, [title, report]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the results
      </button>
      <header class="bar">
        <a class="brand" href={linkTo("")}>
          Pageload Lab
        </a>
        <nav aria-label="Views">
          {inMenu(report).map((name) => (
            <a key={name} href={linkTo(name)} aria-current={name === current ? "page" : undefined}>
              {views[name]!.title}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Shown view={view} report={report} route={route} />
      </main>
    </>
  );
}

/** Shows a view, or the error that it threw. A new address or a new report clears the error. */
function Shown({ view: View, report, route }: { view: View; report: ReportView; route: Route }) {
  const [error, reset] = useErrorBoundary();
  useEffect(() => reset(), [report, route]);
  return error ? <p class="notice">{(error as Error).message}</p> : <View report={report} route={route} />;
}

function Report() {
  const [report, setReport] = useState<ReportView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const renew = () => load("report").then(setReport, (error: Error) => setProblem(error.message));
    void renew().then(() => load("report").then(({ live }) => live !== null && follow(renew)));
  }, []);
  if (problem) return <p class="notice">{problem}</p>;
  return report ? <Frame report={report} /> : <p class="reading">Reading…</p>;
}

/** Listens to the server's events, which announce that the run has grown. */
function follow(renew: () => Promise<void>): void {
  new EventSource("events").onmessage = ({ data }) => {
    forget(String(data));
    void renew();
  };
}

render(<Report />, document.getElementById("report")!);
