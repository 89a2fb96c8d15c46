/** Evaluates a rule for past windows in their order, so that each judgement depends on the one before. */
import { evaluate, type Judgement, type RuleState } from './evaluate';
import type { TimeWindow, WindowFigures } from './figures';
import { windowMs, type RejectionParams } from './params';

/** Returns `count` windows without gaps, the oldest first. The last one ends at `end` (in ms since the epoch). */
export function windowsUntil(
  params: Pick<RejectionParams, 'window'>,
  end: number,
  count: number,
): TimeWindow[] {
  const length = windowMs(params);
  return Array.from({ length: count }, (_, at) => {
    const to = end - (count - 1 - at) * length;
    return { from: to - length, to };
  });
}

export interface JudgedWindow extends TimeWindow {
  judgements: Judgement[];
}

/**
 * Judges past windows in their order. `found[i]`: counts of each group in `windows[i]`. The first window is judged without a previous
 * state. Returns the judgements of each window.
 */
export function judgePast(
  params: RejectionParams,
  windows: readonly TimeWindow[],
  found: readonly (readonly WindowFigures[])[],
): JudgedWindow[] {
  let state: RuleState | undefined;
  return windows.map((window, at) => {
    const verdict = evaluate(params, found[at] ?? [], state, window.to);
    state = verdict.state;
    return { ...window, judgements: verdict.judgements };
  });
}
