import { refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import { renderMarkdown } from './markdown';

test.each([
  ['Refuted (1 of 6 claims refuted): it falls.', '**REFUTED** (1 of 6 claims refuted): it falls.'],
  ['Refuted: it falls.', '**REFUTED**: it falls.'],
])('the bold answer is separated from the words after it: %s', (sentence, written) => {
  const { run, trials } = refreshRun({});
  const report = buildReport(run, trials);
  const verdict = { ...report.verdict, answer: 'refuted' as const, sentence };
  expect(renderMarkdown({ ...report, verdict })).toContain(`\n${written}\n`);
});
