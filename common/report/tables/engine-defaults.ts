/** Builds the table of defaults that differ between the engines of a run. */
import type { Report } from '../model/report';
import { cell, left, type Sentences, type Table } from './table';

/** Returns the table of different defaults. Null if the run did not compare engines. */
export function engineDefaultsTable({ engineDefaults }: Report): Table | null {
  if (!engineDefaults) return null;
  const { engines, settings } = engineDefaults;
  return {
    title: 'Defaults that differ between the engines',
    note:
      'Effective values during the run of settings that the definition does not set. Part of a difference between the engines may come ' +
      'from them. To make one equal, set it in the definition. A dash: the engine has no such setting, or does not report it.',
    columns: [left('setting'), ...engines.map(left), left('what it is')],
    rows: settings.map(({ name, values, about }) => [
      cell(name),
      ...values.map((value) => (value === null ? cell('–', 'quiet') : cell(value))),
      cell(about),
    ]),
    folded: true,
  };
}

/** Returns the different defaults as sentences for terminals, which have no space for a table with the long names of settings. */
export function engineDefaultsSentences(report: Report): Sentences | null {
  const table = engineDefaultsTable(report);
  if (table === null) return null;
  const { engines, settings } = report.engineDefaults!;
  return {
    title: table.title,
    lines: settings.map(
      ({ name, values }) =>
        `${name}: ${values.map((value, at) => `${engines[at]} ${value ?? '–'}`).join(', ')}`,
    ),
    notes: [table.note],
  };
}
