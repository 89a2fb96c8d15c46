/** Detects the moments of `scenario.ts` from the requests that a run sends to its target. */
import type { FaultProxy } from './fault-proxy';
import type { Moment } from './scenario';

/** Matches the first request of each moment. */
const BEGINS: Readonly<Record<Exclude<Moment, 'start'>, RegExp>> = {
  preflight: /^/,
  prepare: /^PUT \/dyno-trial-/,
  load: /^POST .*_bulk/,
  check: /^(GET|POST) \/dyno-trial-[^ ]*\/(_refresh|_count)/,
  remove: /^DELETE \/dyno-trial-/,
};

/** Resolves when a moment begins for the nth time. Every moment occurs once in each trial; all bulks of a trial are one `load`. */
export function occurrence(target: FaultProxy, moment: Moment, nth: number): Promise<void> {
  if (moment === 'start') return Promise.resolve();
  return new Promise((resolve) => {
    let seen = 0;
    let isWithin = false;
    const stop = target.watch((line) => {
      const begins = BEGINS[moment].test(line);
      if (begins && !isWithin) seen += 1;
      isWithin = moment === 'load' ? !/^DELETE/.test(line) && (isWithin || begins) : begins;
      if (seen < nth) return;
      stop();
      resolve();
    });
  });
}
