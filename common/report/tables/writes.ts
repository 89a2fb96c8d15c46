/** Builds the table of acknowledged writes, for ingest tasks that update or delete documents. */
import { formatNumber } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, optional, right, type Table } from './table';

/** Returns the table of acknowledged writes. Null for tasks that only add documents with ids that Elasticsearch generates. */
export function writesTable(report: Report, task: string): Table | null {
  const { names, heading } = cellNames(report);
  const rows = report.cells.flatMap(({ tasks }, at) => {
    const writes = tasks.find((own) => own.task === task)?.writes;
    return writes === undefined ? [] : [{ name: names[at]!, writes }];
  });
  if (rows.length === 0) return null;
  const some = (count: number) => cell(count === 0 ? '' : formatNumber(count), 'warning');
  return {
    title: `Documents that ${task} changed, over all trials with their warm-up`,
    note:
      'Writes that the target acknowledged. Present = created - deleted; versions is the sum of the versions of these documents. At the ' +
      'end of each trial, Dyno compares them with the indices. Unchanged: updates that changed nothing. Requests that were never ' +
      'answered, or answered with a failure, may have added or removed more documents.',
    columns: [
      left(heading),
      right('created'),
      right('updated'),
      right('deleted'),
      right('unchanged'),
      right('present'),
      right('versions'),
      optional(right('perhaps added')),
      optional(right('perhaps removed')),
    ],
    rows: rows.map(({ name, writes }) => [
      cell(name),
      cell(formatNumber(writes.created)),
      cell(formatNumber(writes.updated)),
      cell(formatNumber(writes.deleted)),
      cell(formatNumber(writes.unchanged)),
      cell(formatNumber(writes.created - writes.deleted)),
      cell(formatNumber(writes.versions)),
      some(writes.perhapsAdded),
      some(writes.perhapsRemoved),
    ]),
  };
}
