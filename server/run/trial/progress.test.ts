import { resolveCells } from '../../../common/experiment/resolved-cells';
import { readDefinition } from '../../../common/experiment/read';
import { noCounts } from '../../../common/measurement/counts';
import { createHistogram, encodeHistogram } from '../../../common/measurement/histogram';
import type { Progress } from '../../../common/measurement/progress';
import type { Sample } from '../../../common/measurement/sample';
import { newRun, ActiveRun } from '../active-run/active-run';
import { ProgressReporter, RecentSamples } from './progress';

test('the measured share of a trial comes from its own number of documents', () => {
  const definition = readDefinition({
    version: 1,
    name: 'progress',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    factors: { 'measure.documents': [100, 400] },
  });
  const reports: Progress[] = [];
  const saved = (): Promise<boolean> => Promise.resolve(true);
  const activeRun = new ActiveRun(newRun('run-1', definition), [], { saveRun: saved, saveTrial: saved });
  const measured = resolveCells(definition).map((cell) => {
    const reporter = new ProgressReporter(activeRun, (progress) => reports.push(progress));
    reporter.beginTrial({ order: 0, cell: cell.label, repetition: 0 }, cell.definition);
    reporter.enter('measure');
    const recent = new RecentSamples();
    const counts = { ...noCounts(), attempted: 50, accepted: 50 };
    recent.add({ task: 'ingest', counts, backlog: 0, latency: encodeHistogram(createHistogram()) } as Sample);
    reporter.sampled(recent);
    return reports.at(-1)!.measured;
  });
  expect(measured).toEqual([0.5, 0.125]);
});
