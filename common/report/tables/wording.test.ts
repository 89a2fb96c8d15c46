import { makeRun, REFRESH } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import { comparisonTable } from './task';
import { changeNote } from './wording';

test.each([
  ['reads the same', { ratio: 1.231, value: 123.4, against: 100 }],
  ['differs by rounding alone', { ratio: 1.2251, value: 122.49, against: 100 }],
  ['is not known', { ratio: null, value: 110, against: 100 }],
  ['has no mean to compare with', { ratio: 1.1, value: 110, against: 0 }],
])('a change that %s needs no note', (_, change) => expect(changeNote([change])).toBe(''));

test('a change that is not the ratio of the values next to it gets a note', () => {
  expect(changeNote([{ ratio: 1.099, value: 110.5, against: 100 }])).toMatch(
    /^Changes compare single trials/,
  );
});

test('the comparison of cells says why a change is not the ratio of the two means', () => {
  const noteOf = (lastBase: number): string => {
    const { run, trials } = makeRun({ ...REFRESH, trials: 4, expect: [] }, ({ levels }, repetition) => {
      const [base, times] = repetition === 3 ? [lastBase, 1.34] : [1000, 1.3];
      const isFirst = levels['index.settings.refresh_interval'] === '1s';
      return { tasks: { ingest: { rate: base * (isFirst ? 1 : times), batch: 1000, cv: 0.0001 } } };
    });
    return comparisonTable(buildReport(run, trials), 'ingest')!.note;
  };
  expect(noteOf(5000)).toContain('they can differ from the ratio of two cells’ means');
  expect(noteOf(1000)).not.toContain('Changes compare');
});
