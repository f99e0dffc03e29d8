/** The condition's capture: an extra load, with files for other tools. */
import type { CaptureView } from "../build.ts";
import { milliseconds } from "./format.ts";

/** What each file contains and which program opens it, by the file's name. */
const openedBy: Record<string, string> = {
  "packets.pcapng": "every frame at the client, with the keys for Wireshark",
  "netlog.json.gz": "the browser's network log: unpack it for netlog-viewer",
  "film.json": "the time of each screenshot, and how complete the page looks in it",
  "load.json": "the load's record with its evidence, as in loads.jsonl",
};
/** The description of qlog files, which are named after their connections. */
const ofQlog = "a server's log of a QUIC connection: unpack it for qvis";
const openedWith = (name: string) => openedBy[name] ?? (/qlog/.test(name) ? ofQlog : undefined);

export function Captured({ capture: { pageLoadMs, reason, files, film } }: { capture: CaptureView }) {
  return (
    <section class="panel">
      <h2>A captured extra load of this condition</h2>
      <p>
        Capturing slowed this load, so no number in this report includes it.{" "}
        {pageLoadMs === null ? `It is invalid: ${reason}.` : `It took ${milliseconds(pageLoadMs)}.`}
      </p>
      {film && <Film {...film} />}
      <ul>
        {files.map(({ name, address, bytes }) => (
          <li key={name}>
            <a href={address} download>
              {name}
            </a>{" "}
            <span class="quiet">
              {size(bytes)}
              {openedWith(name) && `: ${openedWith(name)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Film({ speedIndexMs, frames }: NonNullable<CaptureView["film"]>) {
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
      <ol class="film" tabIndex={0} aria-label="what the page showed, from navigation start">
        {shown(frames).map(({ address, ms, completeness }) => (
          <li key={address}>
            <img src={address} alt={`the page at ${milliseconds(ms)}`} loading="lazy" />
            <span>{milliseconds(ms)}</span> <span class="quiet">{Math.round(completeness * 100)}%</span>
          </li>
        ))}
      </ol>
      <p class="quiet">Speed Index {milliseconds(speedIndexMs)}, computed from the completeness of each frame.</p>
    </div>
  );
}

/** Frames between the first and the last are shown only if their completeness differs at least this much from that of the frame shown before. */
const step = 0.02;
function shown<T extends { completeness: number }>(frames: readonly T[]): T[] {
  const kept: T[] = [];
  for (const [i, frame] of frames.entries()) {
    const before = kept.at(-1);
    if (!before || i === frames.length - 1 || Math.abs(frame.completeness - before.completeness) >= step)
      kept.push(frame);
  }
  return kept;
}

const size = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
