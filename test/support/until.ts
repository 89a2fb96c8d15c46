/** How tests wait: for a condition, never for a time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks, ms: short at first, later short beside what was waited already. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 250;

/**
 * Resolves to the first answer of `look` that is not undefined, null or false. Rejects with what `look` throws, and with
 * a sentence about `what` once `ms` have passed; a function for `what` is asked then, so that it can tell how things stand.
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
