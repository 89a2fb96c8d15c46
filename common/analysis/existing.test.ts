import type { ExistingSummary } from '../measurement/existing';
import { buildReport } from '../report/model/build';
import { existingTable } from '../report/tables/existing';
import { refreshRun } from './testing/made-run';
import { warningsOf } from './validity';
import { documentsOfOthers, indexCount, indexMismatch } from './index-count';
import { resolveStoredCell } from '../experiment/resolved-cells';

const FOUND: ExistingSummary = {
  name: 'products',
  indices: ['products-1', 'products-2'],
  uuids: ['u1', 'u2'],
  documents: 1000,
  deleted: 0,
  segments: 4,
  storeBytes: 1024 ** 2,
  written: false,
  changed: '',
};

function made(more: (order: number) => Partial<ExistingSummary>) {
  const found = refreshRun();
  for (const trial of found.trials) trial.existing = { ...FOUND, ...more(trial.trial.order) };
  return found;
}

const reportWarnings = (more: (order: number) => Partial<ExistingSummary>): string => {
  const { run, trials } = made(more);
  // The written documents are added to those that existed before.
  for (const trial of trials) trial.index!.docs += trial.existing!.written ? 1000 : 0;
  return buildReport(run, trials).warnings.join('\n');
};

test('a trial that only searched does not warn about documents that others wrote', () => {
  const [trial] = made(() => ({})).trials;
  trial!.tasks = [];
  for (const docs of [900, 1000, 1100]) {
    expect(indexMismatch(indexCount(trial!, docs))).toBe('');
    expect(
      warningsOf(resolveStoredCell(refreshRun().run.definition, trial!.cell).definition, trial!),
    ).not.toContainEqual(expect.objectContaining({ kind: 'documents-missing' }));
  }
});

test('a trial that wrote counts from the existing documents, and documents of others are beyond its own', () => {
  const [trial] = made(() => ({ written: true })).trials;
  const { acknowledged } = indexCount(trial!, 0);
  const count = (more: number) => indexCount(trial!, 1000 + acknowledged + more);
  expect(indexMismatch(count(0))).toBe('');
  expect(documentsOfOthers(count(0))).toBe(0);
  expect(documentsOfOthers(count(7))).toBe(7);
  expect(indexMismatch(count(-1))).toContain('1,000 were there before and');
});

test('data that others changed gets a warning, and so do trials that all add to the same data', () => {
  expect(reportWarnings(() => ({}))).not.toContain('data');
  expect(reportWarnings((order) => (order < 2 ? {} : { changed: 'documents 1,000 to 1,010' }))).toMatch(
    /Others changed the measured data in 7 of 9 trials: products: documents 1,000 to 1,010\. /,
  );
  expect(reportWarnings((order) => ({ written: true, documents: 1000 * (order + 1) }))).toMatch(
    /What all 9 trials wrote stays in the data: began with 1,000 documents; .*not independent/,
  );
});

test('the report shows which indices the name meant, and how they grew', () => {
  expect(existingTable(buildReport(refreshRun().run, refreshRun().trials))).toBeNull();
  const { run, trials } = made((order) => ({ documents: 1000 + 100 * order, written: true }));
  const table = existingTable(buildReport(run, trials))!;
  expect(table.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ['products', 'products-1, products-2', '1,000 to 1,800', '1 MB', '4', 'no'],
  ]);
  expect(table.note).toContain('not independent');
  const searched = made((order) => (order === 8 ? { changed: 'segments 4 to 5' } : {}));
  const [row] = existingTable(buildReport(searched.run, searched.trials))!.rows;
  expect(row!.at(-1)).toEqual({ text: 'segments 4 to 5', tone: 'warning' });
});
