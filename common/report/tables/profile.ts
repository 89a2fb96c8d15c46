/** Activities in the profile of an event other than CPU time, and methods whose share changed between two cells. */
import { formatPoints, formatPointsInterval } from '../../analysis/wording';
import { ACTIVITIES } from '../../profile/activities';
import { EVENTS } from '../../profile/events';
import { shortFrame } from '../../profile/stacks';
import { formatBytes, formatMs, formatPercent, plural } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Profile } from '../model/profile';
import type { Report } from '../model/report';
import { activityRows } from './activities';
import { cell, left, right, type Table } from './table';

const cellName = ({ cells }: Profile, names: readonly string[], index: number): string =>
  names[index] ?? cells.find((own) => own.cell === index)?.label ?? '';

/**
 * Returns a table with the shares of the activities, for an event other than CPU time. Its title says what the profile counts. `names`:
 * names of the cells. Null for CPU time, whose activities are metrics.
 */
export function eventTable(profile: Profile, names: readonly string[]): Table | null {
  const { event, activities, perTrial, cell: own, against } = profile;
  if (event === 'cpu') return null;
  const { title, name, whole, unit } = EVENTS[event];
  const columns = <T>(value: T, ofAgainst: T): T[] => (against === null ? [value] : [value, ofAgainst]);
  const weight = (value: number): string => (unit === 'bytes' ? formatBytes(value) : formatMs(value / 1000));
  const shareOf = new Map(activities.map((one) => [one.key, one]));
  return {
    title,
    note: `Shares of ${whole}. Indented activities are parts of the one above. The last row is the mean of a trial, over all nodes.`,
    columns: [
      left('activity'),
      ...columns(own, against ?? own).map((index) => right(cellName(profile, names, index))),
    ],
    rows: [
      ...activityRows(
        ACTIVITIES.flatMap((activity) => {
          const found = shareOf.get(activity.key);
          return found === undefined ? [] : [{ activity, shares: columns(found.share, found.against) }];
        }),
      ),
      [
        cell(`${name} per trial`),
        ...columns(perTrial.cell, perTrial.against).map((value) => cell(weight(value))),
      ],
    ],
  };
}

/** Returns the table of activities of the report's profile: see {@link eventTable}. Null without a profile. */
export const profileActivitiesTable = (report: Report): Table | null =>
  report.profile === undefined ? null : eventTable(report.profile, cellNames(report).names);

/** Returns a table of the largest decided changes. Null without a profile, with only one cell, and if no change is decided. */
export function profileTable(report: Report): Table | null {
  const { profile } = report;
  if (profile === undefined || profile.against === null || profile.changes.length === 0) return null;
  const { tree, changes, samples } = profile;
  const { names } = cellNames(report);
  const nameOf = (index: number): string => cellName(profile, names, index);
  const changeOf = new Map(tree.changes.map((change) => [change.frame, change]));
  return {
    title: 'What changed in the profile',
    note: `Only changes that the trials decide, from ${plural(samples.cell + samples.against, 'stack')}. Shares of ${EVENTS[profile.event].whole} include the methods that a method calls.`,
    columns: [
      left('method'),
      right(nameOf(profile.cell)),
      right(nameOf(profile.against)),
      right('points'),
      right('95% interval'),
    ],
    rows: changes.map(({ frame }) => {
      const change = changeOf.get(frame)!;
      return [
        cell(shortFrame(tree.names[tree.name[frame]!]!)),
        cell(formatPercent(tree.share[frame]!)),
        cell(formatPercent(tree.against![frame]!)),
        cell(formatPoints(change.difference)),
        cell(formatPointsInterval(change)),
      ];
    }),
  };
}
