/** Builds the table of existing data: its state before the trials, and changes that other clients made to it during the run. */
import { listed } from '../../analysis/wording';
import type { ExistingSummary } from '../../measurement/existing';
import { formatBytes, formatNumber } from '../../units/format';
import type { Report } from '../model/report';
import { cell, left, right, type Table } from './table';

/** Maximum number of index names in a row. */
const MOST_NAMES = 5;

/** Returns a value such as `1,000`, or `1,000 to 5,000` if the trials differ. A dash if no trial has a value. */
function range(values: readonly (number | null)[], format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '–';
  const [least, most] = [Math.min(...known), Math.max(...known)].map(format);
  return least === most ? least! : `${least} to ${most}`;
}

/** Returns the table of existing data. Null if no trial used existing data. */
export function existingTable(report: Report): Table | null {
  const found = report.trials.flatMap(({ existing }) => existing ?? []);
  if (found.length === 0) return null;
  const of = (name: string): ExistingSummary[] => found.filter((own) => own.name === name);
  const names = [...new Set(found.map(({ name }) => name))];
  const isWritten = found.some(({ written }) => written);
  return {
    title: 'Existing data before the trials',
    note:
      'Dyno did not create it, and did not create, delete or change indices or settings there. ' +
      (isWritten
        ? 'Documents that trials wrote stay in it, so each trial began with those of earlier trials: trials are not independent.'
        : 'It was only searched. Changed by others: since the first trial began.'),
    columns: [
      left('name'),
      left('indices'),
      right('documents'),
      right('primary store'),
      right('segments'),
      left('changed by others'),
    ],
    rows: names.map((name) => {
      const own = of(name);
      const indices = [...new Set(own.flatMap((one) => one.indices))];
      const changed = [...new Set(own.map((one) => one.changed))].filter(Boolean);
      const read = (key: 'documents' | 'storeBytes' | 'segments'): (number | null)[] =>
        own.map((one) => one[key]);
      return [
        cell(name),
        cell(listed(indices, MOST_NAMES)),
        cell(range(read('documents'), formatNumber)),
        cell(range(read('storeBytes'), formatBytes)),
        cell(range(read('segments'), formatNumber)),
        changed.length === 0 ? cell('no') : cell(listed(changed, 2), 'warning'),
      ];
    }),
  };
}
