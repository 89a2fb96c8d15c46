/** The comparison with the baseline, for build servers. Determines whether the newest runs are worse than the baseline. */
import type { History, HistorySeries } from './history';
import { isMeasured } from './series';

/** A series, with the comparison of its newest level with the baseline. */
export interface ComparedWithBaseline extends HistorySeries {
  against: NonNullable<HistorySeries['against']>;
}

export interface BaselineWatch {
  /**
   * Result for all series together. `worse`: at least one series is worse. `cannot-tell`: all series are undecided, or no series can be
   * compared. `not-worse`: otherwise.
   */
  state: 'worse' | 'not-worse' | 'cannot-tell';
  label: string;
  /** Series that are worse than the baseline by more than the margin. With 95% confidence, this is true for all of them. */
  worse: ComparedWithBaseline[];
  /** Undecided series: they have too few runs or too much noise. */
  unclear: ComparedWithBaseline[];
  /** Series that have no value in the baseline or in the newest run. */
  without: HistorySeries[];
}

/** Returns the comparison. Undefined if the experiment has no baseline. */
export function watchBaseline({ series, baseline }: History): BaselineWatch | undefined {
  if (baseline === null) return undefined;
  const compared = series.filter(
    (one): one is ComparedWithBaseline => one.against !== null && isMeasured(one),
  );
  const of = (answer: ComparedWithBaseline['against']['answer']): ComparedWithBaseline[] =>
    compared.filter(({ against }) => against.answer === answer);
  const [worse, unclear] = [of('worse'), of('cannot-tell')];
  return {
    state: worse.length > 0 ? 'worse' : unclear.length === compared.length ? 'cannot-tell' : 'not-worse',
    label: baseline.label,
    worse,
    unclear,
    without: series.filter((one) => one.against === null || !isMeasured(one)),
  };
}

/** Returns `one series` or `3 series`. */
export const inSeries = (count: number): string => (count === 1 ? 'one series' : `${count} series`);

/** Describes the comparison in one line. */
export function baselineSentence({ state, label, worse, unclear, without }: BaselineWatch): string {
  const open =
    unclear.length === 0 || state === 'cannot-tell' ? '' : `; undecided in ${inSeries(unclear.length)}`;
  const missing = without.length === 0 ? '' : `; nothing to compare in ${inSeries(without.length)}`;
  switch (state) {
    case 'worse':
      return `worse than the baseline (${label}) by more than the margin in ${inSeries(worse.length)}${open}${missing}`;
    case 'not-worse':
      return `not worse than the baseline (${label}) by more than the margin${open}${missing}`;
    case 'cannot-tell':
      return `undecided whether it is worse than the baseline (${label}): ${
        unclear.length === 0
          ? 'no series has values in both'
          : `too few runs, or too noisy ones, in ${inSeries(unclear.length)}`
      }${missing}`;
  }
}
