/** What a rule would have said in the past: its windows one after the other, each judged after the one before. */
import { evaluate, type Judgement, type RuleState } from './evaluate';
import type { TimeWindow, WindowFigures } from './figures';
import { windowMs, type RejectionParams } from './params';

/** `count` windows without gaps, the last of which ends at `end` (ms since the epoch); the oldest first. */
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

/** `found[i]` are the figures of `windows[i]`. Nothing is known before the first. */
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
