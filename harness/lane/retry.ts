/** Repeats probes, because the link that they measure can break the measurement itself. */

const maxAttempts = 8;

/** Repeats `action` until it succeeds, at most `maxAttempts` times. @throws the last attempt's error */
export async function retry<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await action();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
}
