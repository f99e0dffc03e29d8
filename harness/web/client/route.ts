/** The address determines what the report shows, as in #/compare?a=0.12&b=0.13, so that hyperlinks and the back button work. */
import { useEffect, useState } from "preact/hooks";

export interface Route {
  view: string;
  params: URLSearchParams;
}

function routeOf(hash: string): Route {
  const [view = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return { view, params: new URLSearchParams(query) };
}

export function linkTo(view: string, params: Record<string, string> | URLSearchParams = {}): string {
  const query = new URLSearchParams(params).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return routeOf(hash);
}

/** Names a condition in addresses: "0.12" is condition 12 of run 0. */
export const conditionKey = (run: number, condition: number) => `${run}.${condition}`;
export function parseKey(key: string | null): [number, number] | null {
  const [run, condition] = (key ?? "").split(".").map(Number);
  return run !== undefined && condition !== undefined && run >= 0 && condition >= 0 ? [run, condition] : null;
}
