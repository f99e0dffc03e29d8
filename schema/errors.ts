/** How the lab ends. One number a kind of ending, the same for every command; printed by `./lab --help`. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  machineCannot: 3,
  wrongLink: 4,
  loadsMissing: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An ending the user can act on: shown as one message, without a stack trace. */
export class LabError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LabError";
    this.exitCode = exitCode;
  }
}

/** Bad input: names what was given and says what is allowed. */
export const usageError = (message: string) => new LabError(ExitCode.usage, message);
