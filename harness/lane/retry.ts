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
