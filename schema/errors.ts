export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  machineCannot: 3,
  wrongLink: 4,
  loadsMissing: 5,
  otherVersions: 6,
  undecided: 7,
  notRepeated: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export const exitCodeMeanings = `Exit codes: 0 done, 1 failed, 2 wrong usage, 3 this machine cannot do it, 4 a link is not as configured,
5 some loads are missing, 6 the run used versions that this machine does not have, so it cannot be repeated,
7 the loads do not decide whether a demand is met, 8 no part of a run could be repeated and compared, 130 interrupted.`;

/** An error that the user can act on: shown as one message, without a stack trace. */
export class LabError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LabError";
    this.exitCode = exitCode;
  }
}

/** Returns the error for bad input. Its message names what was given and says what is allowed. */
export const usageError = (message: string) => new LabError(ExitCode.usage, message);
/** Returns the error for a request that this machine cannot fulfil. Its message says why, and what to do. */
export const machineCannot = (message: string) => new LabError(ExitCode.machineCannot, message);
