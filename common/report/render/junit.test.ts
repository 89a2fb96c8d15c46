import { makeRun, REFRESH } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import { renderHtml } from './html';
import { renderJunit } from './junit';
import { renderMarkdown } from './markdown';
import { renderTerminal } from './terminal';

const reportOf = (failed: boolean): Report => {
  const { run, trials } = makeRun(REFRESH, (_, __, order) => ({
    tasks: { ingest: { rate: 100 } },
    state: failed && order === 0 ? 'failed' : 'completed',
  }));
  trials[0]!.trial.reason = failed ? 'the index holds 1 document, but <9> were acknowledged' : '';
  return buildReport(run, trials);
};

test('a failed trial is a failed test case, with its reason', () => {
  const xml = renderJunit(reportOf(true));
  expect(xml).toContain('<testsuite name="trials" tests="9" failures="1" errors="0" skipped="0"');
  expect(xml).toContain(
    '<failure message="failed: the index holds 1 document, but &lt;9&gt; were acknowledged"/>',
  );
  expect(renderJunit(reportOf(false))).toContain('tests="9" failures="0"');
});

test('a threshold that was not held is a failed test case', () => {
  const report = reportOf(false);
  report.verdict.thresholds[0]!.passed = false;
  expect(renderJunit(report)).toMatch(/<testsuite name="thresholds" tests="2" failures="1"/);
});

test('planned trials that never began fail with the reason of the run', () => {
  const report = reportOf(false);
  report.trials.splice(5);
  report.run.reason = 'the cluster turned red';
  expect(renderJunit(report).match(/the cluster turned red/g)).toHaveLength(4);
});

test.each([
  ['terminal', renderTerminal],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
])('a report says first that the run completed with failures: %s', (_, render) => {
  const says = /Completed with failures: 1 of 9 trials failed/;
  expect(render(reportOf(true))).toMatch(says);
  expect(render(reportOf(false))).not.toMatch(/with failures/i);
});
