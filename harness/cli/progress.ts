import { MultiBar } from "cli-progress";
import { forTerminal, inOneLine } from "../../schema/foreign-words.ts";
import { counted } from "../../schema/words.ts";
import { observedIn } from "../judge/load/observed.ts";
import type { Progress, RunEvent, Start } from "../run/run-events.ts";
import { type ConditionTimes, timesOf } from "./condition-times.ts";
import { describe, type Standing, standingOf } from "./standing.ts";

const plainEverySeconds = 30;

export const startProgress = (start: Start): Progress => showProgress(standingOf(start));

/** Like startProgress, but on a terminal it also shows each condition's times so far. */
export const startLiveProgress = (start: Start): Progress =>
  showProgress(standingOf(start), process.stderr, timesOf(start.plan));

/** Shows a run's progress on stderr: on a terminal as a bar with the current step and the remaining time, elsewhere as plain lines. */
export const showProgress = (
  standing: Standing,
  stream: NodeJS.WriteStream = process.stderr,
  times: readonly ConditionTimes[] = [],
): Progress => (stream.isTTY ? bar(standing, stream, times) : lines(standing, stream));

/** The width assumed for a terminal that does not report its width. */
const usualColumns = 80;
/** With more conditions than this, their times would not fit on a terminal. */
const mostTimes = 12;

function bar(standing: Standing, stream: NodeJS.WriteStream, times: readonly ConditionTimes[]): Progress {
  const format = "{bar} {value}/{total} loads, {left}: {doing}";
  const bars = new MultiBar({
    format,
    stream,
    barsize: 20,
    hideCursor: true,
    clearOnComplete: false,
    gracefulExit: false,
  });
  const payload = () => ({ doing: inOneLine(standing.doing), left: standing.left() });
  const log = (text: string) => bars.log(`${wrapped(forTerminal(text), stream.columns || usualColumns)}\n`);
  const single = bars.create(standing.total, standing.done, payload());
  const shown = times.length > mostTimes ? [] : times;
  const width = Math.max(0, ...shown.map(({ condition }) => condition.length));
  const each = shown.map((one) => {
    const row = () => ({ name: inOneLine(one.condition).padEnd(width), text: one.described() });
    return { one, row, bar: bars.create(one.loads, 0, row(), { format: "{bar} {name} {text}" }) };
  });
  return {
    event(event) {
      standing.event(event);
      if (event.kind === "lane broke") log(`${event.message}; starting another lane`);
      single.update(standing.done, payload());
      const load = event.kind === "message" && event.message.kind === "load" ? event.message.load : null;
      const own = each.find(({ one }) => one.condition === load?.condition);
      const timeMs = timeMsOf(event);
      if (timeMs === null || !own) return;
      own.one.add(timeMs);
      own.bar.update(own.one.made, own.row());
    },
    print: log,
    stop() {
      bars.update(); // prints the text logged since the bar was last drawn; stop() would drop it
      bars.stop();
    },
  };
}

/** Returns the load time of an event's load: Infinity if the load never ended; null if the event has no load, or the attempt does not count. */
function timeMsOf(event: RunEvent): number | null {
  if (event.kind !== "message" || event.message.kind !== "load") return null;
  const { load } = event.message;
  if (load.ok) return load.pageLoadMs;
  return observedIn(event.chunk, load) === "longer" ? Infinity : null;
}

/** Breaks lines that are longer than the terminal is wide, because the terminal does not wrap them while a bar is shown. */
const wrapped = (text: string, columns: number) =>
  text
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [""])
    .join("\n");

function lines(standing: Standing, stream: NodeJS.WriteStream): Progress {
  let last = -Infinity;
  let doing = "";
  const print = (text: string) => void stream.write(`${forTerminal(text)}\n`);
  return {
    event(event) {
      standing.event(event);
      if (event.kind === "lane broke") print(`${event.message}; starting another lane`);
      const load = event.kind === "message" && event.message.kind === "load" ? event.message.load : null;
      const counts = timeMsOf(event) !== null;
      if (load && !load.ok) print(`${counts ? "never ended" : "failed"}: ${describe(load)}`);
      if (!load && standing.doing !== doing) print(standing.doing);
      doing = standing.doing;
      const seconds = Date.now() / 1000;
      if (!counts || (seconds - last < plainEverySeconds && standing.done < standing.total)) return;
      last = seconds;
      print(`${standing.done}/${counted(standing.total, "load")}, ${standing.left()}`);
    },
    print,
    stop: () => {},
  };
}
