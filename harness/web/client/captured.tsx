/** An extra load of the condition, of which everything was kept: files for other tools. */
import type { CaptureView } from "../data/model.ts";
import { milliseconds } from "./format.ts";

/** What opens them, by their names. */
const openedBy: Record<string, string> = {
  "packets.pcapng": "every frame at the client, with the keys that Wireshark decrypts them by inside",
  "netlog.json.gz": "what the browser's network did: netlog-viewer, once unpacked",
  "load.json": "its line, with its evidence, as loads.jsonl has of samples",
};
/** One a connection, named by it. */
const ofQlog = "what a server did with a QUIC connection: qvis, once unpacked";
const openedWith = (name: string) => openedBy[name] ?? (/qlog/.test(name) ? ofQlog : undefined);

export function Captured({ capture: { pageLoadMs, reason, files } }: { capture: CaptureView }) {
  return (
    <section class="panel">
      <h2>An extra load of this condition, with everything</h2>
      <p>
        It is no sample and in no number of this report: what watched it was at work meanwhile.{" "}
        {pageLoadMs === null ? `It is not as asked: ${reason}.` : `It took ${milliseconds(pageLoadMs)}.`}
      </p>
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

const size = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
