/**
 * Finds out which point a run has reached (such as `prepare` or `load`), from the requests that the run sends to its target. Faults begin
 * at these points.
 */
import type { FaultProxy } from './fault-proxy';
import type { Moment } from './scenario';

/** Pattern of the request (`METHOD /path`) with which a run reaches each point at which a fault can begin. */
const BEGINS: Readonly<Record<Exclude<Moment, 'start'>, RegExp>> = {
  preflight: /^/,
  prepare: /^PUT \/dyno-trial-/,
  load: /^POST .*_bulk/,
  check: /^(GET|POST) \/dyno-trial-[^ ]*\/(_refresh|_count)/,
  remove: /^DELETE \/dyno-trial-/,
};

/**
 * Resolves when a run reaches the point `moment` for the nth time. Each trial reaches each point once: all bulks of a trial count as one
 * `load`.
 */
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
