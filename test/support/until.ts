/** Waits for a condition in tests, instead of for a fixed time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** First pause between two checks, in ms. Later pauses are longer, but short compared with the time that has passed so far. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;

/**
 * Calls `look` repeatedly, and resolves to its first result that is not undefined, null or false. Rejects if `look` throws. After `ms`,
 * rejects with an error about `what`. `what` may be a function, which can describe the state at that time.
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | Promise<T>,
  ms = 90_000,
): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + ms;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false)
      return found as Exclude<T, undefined | null | false>;
    if (Date.now() > end)
      throw new Error(`not within ${ms / 1000} s: ${typeof what === 'string' ? what : what()}`);
    await sleep(pause);
  }
}
