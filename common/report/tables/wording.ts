/** How a comparison is said in a table or a chart. */
import type { Comparison } from '../../analysis/comparison';
import type { TrustLevel } from '../../analysis/trust';
import type { RateUnit } from '../../tasks/registry';
import type { Interval } from '../../analysis/confidence';
import { readsAsAnother } from '../../analysis/effect';
import { formatChange } from '../../analysis/wording';
import { formatMs, formatNumber } from '../../units/format';
import type { ListedOutcome } from '../../measurement/outcomes';
import type { Report, ReportTask } from '../model/report';
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

/** A change, and the values of the two cells that are shown next to it. */
interface ShownChange {
  ratio: number | null | undefined;
  value: number | null | undefined;
  against: number | null | undefined;
}

/** Says why changes are not the ratios of the values next to them; '' where they read the same. */
export const changeNote = (changes: readonly ShownChange[]): string =>
  changes.some(
    ({ ratio, value, against }) =>
      ratio != null && value != null && against && readsAsAnother(ratio, value / against, formatChange),
  )
    ? 'Changes compare single trials, within each repetition where the cells ran in turn. So they can differ from the ratio of two cells’ means or percentiles.'
    : '';

/** The same for a task. `read`: comparison of a cell with the baseline, and the value shown. */
export function taskChangeNote(
  { cells, baseline }: Pick<Report, 'cells' | 'baseline'>,
  task: string,
  read: (own: ReportTask) => [comparison: Comparison | null | undefined, value: number | null | undefined],
): string {
  const found = cells
    .map(({ tasks }) => tasks.find((own) => own.task === task))
    .map((own) => own && read(own));
  const against = found[baseline]?.[1];
  return changeNote(found.map((own) => ({ ratio: own?.[0]?.ratio, value: own?.[1], against })));
}

/** What became of a time against the baseline: `−19% (−201 ms) lower`. */
export function formatFoundTime({ ratio, difference, word }: Comparison): string {
  const by = difference === null ? '' : ` (${difference < 0 ? '−' : '+'}${formatMs(Math.abs(difference))})`;
  return `${formatChange(ratio)}${by} ${word}`;
}
