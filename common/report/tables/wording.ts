/** How a comparison is said in a table or a chart. */
import type { Comparison } from '../../analysis/comparison';
import type { TrustLevel } from '../../analysis/trust';
import type { RateUnit } from '../../tasks/registry';
import type { Interval } from '../../analysis/confidence';
import { formatChange } from '../../analysis/wording';
import { formatMs, formatNumber } from '../../units/format';
import type { ListedOutcome } from '../../measurement/outcomes';
import type { ReportTask } from '../model/report';
import type { Tone } from './table';

/** `12,030 to 12,722`; `–` where there is none. */
export const formatInterval = (interval: Interval | null): string =>
  interval === null ? '–' : `${formatNumber(interval.low)} to ${formatNumber(interval.high)}`;

/** Whether what was found is good news: colour follows it, the words do not. */
export function toneOf({ word }: Pick<Comparison, 'word'>, better: 'higher' | 'lower'): Tone {
  if (word === 'undecided') return 'doubt';
  if (word === 'no difference within the margin') return 'quiet';
  return word === better ? 'good' : 'bad';
}

export const TRUST_TONES: Readonly<Record<TrustLevel, Tone>> = {
  high: 'good',
  limited: 'doubt',
  none: 'bad',
};

/** Of a number of documents with this outcome. */
export const outcomeTone = ({ tone }: Pick<ListedOutcome, 'tone'>, count: number): Tone | undefined =>
  count === 0 || tone === 'plain' ? undefined : tone;

/** What the task's latency is: one that counts from when requests were due, or what clients waited for an answer. */
export const timeName = ({ offered }: Pick<ReportTask, 'offered'>): string =>
  offered === null ? 'response time' : 'latency';

/** `≥ 12 ms` where it is a lower bound; `–` without a figure. */
export const formatTime = (ms: number | null, isLowerBound: boolean): string =>
  ms === null || !isLowerBound ? formatMs(ms) : `≥ ${formatMs(ms)}`;

/** `accepted docs/s`, `searches/s`, `transactions/s`. */
export const rateName = (unit: RateUnit): string => (unit === 'docs/s' ? 'accepted docs/s' : unit);

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value))}`;

/** `+1,240 (+310 to +2,170)`: what the change is in the figure's unit. */
export const formatDifference = ({ difference, differenceInterval }: Comparison): string =>
  difference === null
    ? '–'
    : `${signed(difference)}${differenceInterval === null ? '' : ` (${signed(differenceInterval.low)} to ${signed(differenceInterval.high)})`}`;

/** What became of a time against the baseline: `−19% (−201 ms) lower`. */
export function formatFoundTime({ ratio, difference, word }: Comparison): string {
  const by = difference === null ? '' : ` (${difference < 0 ? '−' : '+'}${formatMs(Math.abs(difference))})`;
  return `${formatChange(ratio)}${by} ${word}`;
}
