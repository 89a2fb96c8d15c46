/** Tests that a trial is called unverified everywhere if the documents in its index could not be counted. */
import { trialBriefs } from '../api/trial-briefs';
import { makeRun, REFRESH } from '../analysis/testing/made-run';
import { buildReport } from './model/build';
import { renderCsv } from './render/csv';
import { renderHtml } from './render/html';
import { renderJson } from './render/json';
import { renderJunit } from './render/junit';
import { renderMarkdown } from './render/markdown';
import { renderTerminal } from './render/terminal';

const WHY = 'the index was not counted: no JSON';
const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 100 } } }));
const verified = buildReport(run, structuredClone(trials));
trials[4]!.trial.unverified = WHY;
const report = buildReport(run, trials);

test('it counts, with a warning', () => {
  expect(report.run.trials).toMatchObject({ completed: 9, failed: 0 });
  expect(report.trials[4]!.doubts).toContainEqual({ kind: 'unverified', task: '', detail: WHY });
  expect(report.warnings).toContainEqual(
    expect.stringMatching(/^The index could not be checked .* in 1 of 9 trials \(#5\)/),
  );
});

test.each([
  ['terminal', renderTerminal],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
  ['JSON', renderJson],
])('%s', (_, render) => {
  expect(render(report)).toContain('unverified');
  expect(render(report).replaceAll(/\s+/g, ' ')).toContain(WHY);
  expect(render(verified)).not.toContain('unverified');
});

test('JUnit shows it as a skipped check', () => {
  expect(renderJunit(report)).toContain(`<skipped message="unverified: ${WHY}"/>`);
  expect(renderJunit(report)).toContain('tests="9" failures="0" errors="0" skipped="1"');
});

test('CSV shows it by cell', () => {
  const [header, ...rows] = renderCsv(report).trim().split('\n');
  expect(header).toMatch(/,unverified \(trials\)$/);
  expect(rows.map((row) => row.at(-1)).sort()).toEqual(['0', '0', '1']);
});

test('the pages show it', () => {
  expect(trialBriefs(run, trials).map(({ unverified }) => unverified)[4]).toBe(WHY);
});
