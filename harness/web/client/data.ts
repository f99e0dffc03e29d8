/** Loads data files on demand. They are scripts that call `lab`, because a page opened from disk can read data only from scripts. */
import { useEffect, useState } from "preact/hooks";
import type { ConditionData, ReportView } from "../build.ts";
import type { LoadDetail } from "../data/gathered.ts";
import type { LabView } from "../data/lab-view.ts";
import type { PublishedView } from "../data/published-view.ts";
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
  [published: `${number}/published`]: PublishedView;
}

const waiting = new Map<string, (packed: string) => void>();
const kept = new Map<string, Promise<unknown>>();
let version = "";

window.lab = (name, packed) => waiting.get(name)?.(packed);

/** Forgets all data, so that it is fetched again. @param state the server's name for the new state of the files */
export function forget(state: string): void {
  version = `?${encodeURIComponent(state)}`;
  kept.clear();
}

export function load<Name extends keyof Names>(name: Name): Promise<Names[Name]> {
  const known = kept.get(String(name)) ?? fetchScript(String(name)).then(unpack);
  kept.set(String(name), known);
  known.catch(() => kept.delete(String(name))); // so that the next call tries again
  return known as Promise<Names[Name]>;
}

/** Returns the result of `read`, or null until it has arrived. Reads again if key or report change. @throws Error if `read` failed */
export function useLoaded<T>(key: string, report: ReportView, read: () => Promise<T | null>): T | null {
  const [loaded, setLoaded] = useState<{ key: string; value: T | null; error?: Error } | null>(null);
  useEffect(() => {
    let wanted = true;
    void read().then(
      (value) => wanted && setLoaded({ key, value }),
      (error: Error) => wanted && setLoaded({ key, value: null, error }),
    );
    return () => {
      wanted = false;
    };
  }, [key, report]);
  if (loaded?.key !== key) return null;
  if (loaded.error) throw loaded.error;
  return loaded.value;
}

function fetchScript(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `data/${name}.js${version}`;
    waiting.set(name, resolve);
    script.onload = () => script.remove();
    script.onerror = () =>
      reject(new Error(`data/${name}.js is missing next to this page: was the whole folder copied?`));
    document.head.append(script);
  });
}

async function unpack(packed: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text(), (_, value) => steps.back(value));
}
