/** Rows of tables that show shares of activities, such as merges. */
import type { Activity } from '../../profile/activities';
import { formatPercent } from '../../units/format';
import { cell, type TableCell } from './table';

export interface ActivityShares {
  activity: Activity;
  /** Shares in [0, 1], one for each column; null if unknown. */
  shares: readonly (number | null)[];
}

const largest = ({ shares }: ActivityShares): number => Math.max(...shares.map((share) => share ?? 0));

/**
 * Returns a row for each activity. The activity with the largest share comes first. An activity that is a part of another one directly
 * follows that one, and is indented.
 */
export function activityRows(all: readonly ActivityShares[]): TableCell[][] {
  const sorted = [...all].sort((one, other) => largest(other) - largest(one));
  return sorted
    .flatMap((one) =>
      one.activity.within === undefined
        ? [one, ...sorted.filter(({ activity }) => activity.within === one.activity.key)]
        : [],
    )
    .map(({ activity: { title, within }, shares }) => [
      cell(`${within === undefined ? '' : '\u00A0\u00A0'}${title}`),
      ...shares.map((share) => cell(formatPercent(share))),
    ]);
}
