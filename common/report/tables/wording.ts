/** Words and formats for comparisons in tables and charts. */
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

/** Formats an interval, such as `12,030 to 12,722`; `–` without an interval. */
export const formatInterval = (interval: Interval | null): string =>
  interval === null ? '–' : `${formatNumber(interval.low)} to ${formatNumber(interval.high)}`;

/** Returns the tone of a comparison, which determines its colour. An improvement has the tone `good`. */
export function toneOf({ word }: Pick<Comparison, 'word'>, better: 'higher' | 'lower'): Tone {
  if (word === 'undecided') return 'warning';
  if (word === 'no difference within the margin') return 'quiet';
  return word === better ? 'good' : 'bad';
}

export const TRUST_TONES: Readonly<Record<TrustLevel, Tone>> = {
  high: 'good',
  limited: 'warning',
  none: 'bad',
};

/**
 * Returns the colour of a number of documents with one outcome, such as *rejected*. Undefined for 0 and for outcomes that are not a
 * problem.
 */
export const outcomeTone = ({ tone }: Pick<ListedOutcome, 'tone'>, count: number): Tone | undefined =>
  count === 0 || tone === 'plain' ? undefined : tone;

/**
 * Returns the name of the task's latency in reports. For closed executors, it is called response time. For open executors, the name says
 * that the time begins when requests are due.
 */
export const timeName = ({ offered }: Pick<ReportTask, 'offered'>): string =>
  offered === null ? 'response time' : 'latency';

/** Formats a time, such as `≥ 12 ms` for a lower bound; `–` without a value. */
export const formatTime = (ms: number | null, isLowerBound: boolean): string =>
  ms === null || !isLowerBound ? formatMs(ms) : `≥ ${formatMs(ms)}`;

/** Returns the name of a rate: `accepted docs/s`, `searches/s` or `transactions/s`. */
export const rateName = (unit: RateUnit): string => (unit === 'docs/s' ? 'accepted docs/s' : unit);

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value))}`;

/** Formats a difference in the metric's unit with its interval, such as `+1,240 (+310 to +2,170)`. */
export const formatDifference = ({ difference, differenceInterval }: Comparison): string =>
  difference === null
    ? '–'
    : `${signed(difference)}${differenceInterval === null ? '' : ` (${signed(differenceInterval.low)} to ${signed(differenceInterval.high)})`}`;

/** A change, and the two values that the table shows next to it: the value itself and the value with which it is compared. */
interface ShownChange {
  ratio: number | null | undefined;
  value: number | null | undefined;
  against: number | null | undefined;
}

/**
 * Returns a note that explains why a shown change differs from the quotient of the two shown values; '' if all changes equal these
 * quotients.
 */
export const changeNote = (changes: readonly ShownChange[]): string =>
  changes.some(
    ({ ratio, value, against }) =>
      ratio != null && value != null && against && readsAsAnother(ratio, value / against, formatChange),
  )
    ? 'Changes compare single trials, within each repetition where the cells ran in turn. So they can differ from the ratio of two cells’ means or percentiles.'
    : '';

/**
 * Returns the note of {@link changeNote} for the table of a task. `read`: returns, for one combination of factor levels, the comparison
 * with the baseline and the value that the table shows.
 */
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

/** Formats the change of a time relative to the baseline, such as `−19% (−201 ms) lower`. */
export function formatFoundTime({ ratio, difference, word }: Comparison): string {
  const by = difference === null ? '' : ` (${difference < 0 ? '−' : '+'}${formatMs(Math.abs(difference))})`;
  return `${formatChange(ratio)}${by} ${word}`;
}
