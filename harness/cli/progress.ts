import { SingleBar } from "cli-progress";
import type { LoadRecord } from "../../schema/model.ts";

const plainEverySeconds = 30;

export interface Progress {
  load(record: LoadRecord): void;
  say(text: string): void;
  stop(): void;
}

/** A bar with the time left on a terminal, plain lines elsewhere; both on stderr. */
export function startProgress(total: number, done: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? bar(total, done, stream) : lines(total, done, stream);
}

function bar(total: number, done: number, stream: NodeJS.WriteStream): Progress {
  const format = "{bar} {value}/{total} loads, block {block}, {eta_formatted} left  {last}";
  const single = new SingleBar({
    format,
    stream,
    barsize: 24,
    etaBuffer: 100,
    hideCursor: true,
    clearOnComplete: false,
    gracefulExit: false,
  });
  single.start(total, done, { block: 1, last: "" });
  return {
    load: (record) =>
      record.ok
        ? single.increment(1, { block: record.block, last: describe(record) })
        : single.update({ last: describe(record) }),
    say: (text) => void stream.write(`\n${text}\n`),
    stop: () => single.stop(),
  };
}

function lines(total: number, done: number, stream: NodeJS.WriteStream): Progress {
  let start: number | null = null; // the first load's end: what comes before takes another time
  let made = 0;
  let last = -Infinity;
  return {
    load(record) {
      if (record.ok) made++;
      else stream.write(`failed: ${describe(record)}\n`);
      start ??= Date.now();
      const seconds = (Date.now() - start) / 1000;
      if (seconds - last < plainEverySeconds && done + made < total) return;
      last = seconds;
      const left = Math.round((seconds / Math.max(made - 1, 1)) * (total - done - made));
      const time = made > 1 ? `, ${Math.floor(left / 60)} min ${left % 60} s left` : "";
      stream.write(`${done + made}/${total} loads, block ${record.block}${time}\n`);
    },
    say: (text) => void stream.write(`${text}\n`),
    stop: () => {},
  };
}

const describe = (record: LoadRecord) =>
  `${record.condition}: ${record.ok ? `${Math.round(record.pageLoadMs)} ms` : record.reason}`;
