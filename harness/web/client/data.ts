/** Data files, fetched when they are needed: scripts that call `lab`, for a page from a disk may load nothing else. */
import type { LoadDetail } from "../data/load-model.ts";
import type { ConditionData, LabView, ReportView } from "../data/model.ts";
import { steps } from "../data/steps.ts";

declare global {
  interface Window {
    lab(name: string, packed: string): void;
  }
}

interface Names {
  report: ReportView;
  [condition: `${number}/${number}`]: ConditionData;
  [load: `${number}/${number}/${number}`]: LoadDetail;
  [lab: `${number}/lab`]: LabView;
}

const waiting = new Map<string, (packed: string) => void>();
const kept = new Map<string, Promise<unknown>>();
let version = "";

window.lab = (name, packed) => waiting.get(name)?.(packed);

/** From now on everything is asked for anew. @param state what the server calls it */
export function forget(state: string): void {
  version = `?${encodeURIComponent(state)}`;
  kept.clear();
}

export function load<Name extends keyof Names>(name: Name): Promise<Names[Name]> {
  const known = kept.get(String(name)) ?? fetchScript(String(name)).then(unpack);
  kept.set(String(name), known);
  return known as Promise<Names[Name]>;
}

function fetchScript(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `data/${name}.js${version}`;
    waiting.set(name, resolve);
    script.onload = () => script.remove();
    script.onerror = () => reject(new Error(`data/${name}.js is not beside this page: was the whole folder copied?`));
    document.head.append(script);
  });
}

async function unpack(packed: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text(), (_, value) => steps.back(value));
}
