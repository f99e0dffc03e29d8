/** What a probe does again, because the link that it measures can break the measurement itself. */

const maxAttempts = 8;

/** Calls `action` again while it fails; an agent that cannot be asked at all fails each time. @throws the last attempt's error */
export async function retry<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await action();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
}

/** Measures again until a measurement is whole. The last one is returned as it is, so that the judge sees what is missing. */
export async function measureWhole<T>(measure: () => Promise<T>, isWhole: (measured: T) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const measured = await measure();
    if (attempt === maxAttempts || isWhole(measured)) return measured;
  }
}
