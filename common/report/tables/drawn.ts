/**
 * Builds the table of distinct requests. It shows whether caches may have answered requests: they can if the task repeats a few distinct
 * requests.
 */
import { formatNumber, formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, right, type Table } from './table';

/** Returns the table of distinct requests. Null for tasks whose requests have no random values. */
export function drawnTable(report: Report, task: string): Table | null {
  const { names, heading } = cellNames(report);
  const rows = report.cells.flatMap(({ tasks, server }, at) => {
    const drawn = tasks.find((own) => own.task === task)?.drawn;
    return drawn === undefined
      ? []
      : [{ name: names[at]!, drawn, cache: server?.requestCache?.share ?? null }];
  });
  if (rows.length === 0) return null;
  return {
    title: `Requests that ${task} drew, means per trial with its warm-up`,
    note:
      'The number of distinct requests is an estimate with a standard error of 1.6%; small numbers are exact. The share from the request cache ' +
      'covers all tasks: the cache holds searches that return no hits, of shards that did not change.',
    columns: [
      left(heading),
      right('requests'),
      right('distinct'),
      right('each sent'),
      right('from request cache'),
    ],
    rows: rows.map(({ name, drawn: { requests, distinct }, cache }) => [
      cell(name),
      cell(formatNumber(requests)),
      cell(formatNumber(distinct)),
      cell(distinct === 0 ? '' : `${formatNumber(requests / distinct)} times`),
      cell(formatPercent(cache)),
    ]),
  };
}
