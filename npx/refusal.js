/** The exit codes that this package needs. npx/words.test.ts checks that they equal those in schema/errors.ts. */
export const exitCodes = { usage: 2, machineCannot: 3, interrupted: 130 };

/** Ends the command with this message and exit code. */
export class Refusal extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {string} message */
export const usageError = (message) => new Refusal(exitCodes.usage, message);
