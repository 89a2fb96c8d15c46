/** Methods whose share of the nodes' CPU time changed between two cells. */
import { formatPoints, formatPointsInterval, shortFrame } from '../../analysis/largest-changes';
import { LEVEL } from '../../analysis/confidence';
import { formatPercent, plural } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, right, type Table } from './table';

/** Returns a table of the largest decided changes. Null without a profile, with only one cell, and if no change is decided. */
export function profileTable(report: Report): Table | null {
  const { profile } = report;
  if (profile === undefined || profile.against === null || profile.changes.length === 0) return null;
  const { tree, changes, samples } = profile;
  const { names } = cellNames(report);
  const nameOf = (index: number): string =>
    names[index] ?? profile.cells.find((own) => own.cell === index)?.label ?? '';
  const changeOf = new Map(tree.changes.map((change) => [change.frame, change]));
  return {
    title: 'What changed in the profile',
    note: `Only changes that the trials decide, from ${plural(samples.cell + samples.against, 'stack')}. Shares include the methods that a method calls.`,
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
        cell(formatPointsInterval({ ...change, level: LEVEL })),
      ];
    }),
  };
}
