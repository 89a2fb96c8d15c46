import type { DefinitionInput } from '../../experiment/definition';
import { findPreset } from '../../presets';
import { presetDefinition } from '../../presets/preset';
import { buildReport } from '../model/build';
import { makeRun } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import { renderMarkdown } from '../render/markdown';
import type { Report } from '../model/report';
import { digestSentence, digestTable, isManyFigures, publishedWords } from './published';
import { renderTerminal } from '../render/terminal';

const azureQueriesOnlyReplicas = findPreset('azure-queries-only-replicas')!;

/**
 * Returns the report of a run with two rates. The trials have no values of single queries, so comparisons of single queries are undecided.
 */
function run(rates: [number, number], changes: Partial<DefinitionInput> = {}): Report {
  const made = makeRun(
    { ...presetDefinition(azureQueriesOnlyReplicas, 'quick'), ...changes },
    ({ index }) => ({ tasks: { queries: { rate: rates[index]!, cv: 0.005 } } }),
  );
  return buildReport(made.run, made.trials, { published: azureQueriesOnlyReplicas.published });
}

const report = run([100, 112]);

test('many metrics are in one table, with a row for each', () => {
  expect(isManyFigures(report.published!)).toBe(true);
  const { title, note, rows } = digestTable(report, report.published!);
  expect(title).toBe(`Compared with the published values (${azureQueriesOnlyReplicas.published.title})`);
  expect(note).toMatch(/^Changes of number_of_replicas from 1 to 2 are compared/);
  expect(rows).toHaveLength(8);
  const [first, second] = rows.map((row) => row.map(({ text }) => text));
  expect(first).toEqual([
    'queries in 90 minutes',
    '7,369',
    '7,966',
    '+8.1%',
    expect.stringMatching(/^\+1\d%$/),
    expect.stringMatching(/^\+\S+% to \+\S+%$/),
    'agrees',
    'yours is higher',
  ]);
  expect(second!.slice(0, 4)).toEqual(['ms of Count By Rating', '4,489', '4,079', '−9.1%']);
});

test('one sentence counts all of them, and the other sentences name their metric', () => {
  expect(digestSentence(report.published!)).toMatch(
    /^All 8 metrics, direction: of 8 published changes against the baseline, 1 agrees with yours, 7 are undecided\./,
  );
  const words = publishedWords(report.published!);
  expect(words).toHaveLength(1);
  expect(words[0]!.cells[0]).toMatch(/^queries throughput, 2: published \+8\.1%, yours/);
});

test.each([
  ['terminal', (of: Report) => renderTerminal(of, { width: 120 })],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
])('the %s form has the table, the sentence and the notes', (_, render) => {
  const text = render(report).replace(/\s+/g, ' ');
  expect(text).toContain('All 8 metrics');
  expect(text).not.toMatch(/undefined|NaN/);
});

test('the values are those of the machine with the run’s label, which the report names', () => {
  const lastCondition = (of: Report): string => of.published!.conditions.at(-1)!;
  expect(lastCondition(report)).toMatch(
    /^The published values shown here are those of machine: DS4; .*machine: DS14/,
  );
  const other = run([100, 93], { environment: { machine: 'DS14' } });
  expect(other.published!.figures[0]!.cells[1]!.published).toBe(12_002);
  expect(lastCondition(other)).toMatch(
    /^The published values shown here are those of machine: DS14; .*machine: DS4/,
  );
  const unknown = run([100, 93], { environment: { machine: 'mine' } });
  expect(unknown.published!.figures[0]!.cells[1]!.published).toBeNull();
  expect(lastCondition(unknown)).toMatch(/^No published values for this run: .*machine: DS4; machine: DS14/);
});
