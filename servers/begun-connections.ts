/** The line that servers/aioquic and servers/quinn write to stderr when a QUIC connection begins, with values from their libraries' own objects. */
const line = /^connection begins: (?:congestion control (?<control>\w+), )?window (?<bytes>\d+) bytes$/gm;

const begun = (log: string) => [...log.matchAll(line)].map(({ groups }) => groups ?? {});

/** @returns the congestion controls of the connections in the log, without repetition */
export const controlsIn = (log: string): string[] => [
  ...new Set(begun(log).flatMap(({ control }) => (control === undefined ? [] : [control]))),
];

/** @returns the windows with which its connections began, in bytes, each once */
export const windowsIn = (log: string): number[] => [...new Set(begun(log).map(({ bytes }) => Number(bytes)))];
