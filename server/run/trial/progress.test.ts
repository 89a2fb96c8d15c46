import { resolveCells } from '../../../common/experiment/resolved-cells';
import { readDefinition } from '../../../common/experiment/read';
import { noCounts } from '../../../common/measurement/counts';
import { createHistogram, encodeHistogram } from '../../../common/measurement/histogram';
import type { Progress } from '../../../common/measurement/progress';
import type { Sample } from '../../../common/measurement/sample';
import { newRun, RunRecord } from '../record/record';
import { ProgressTeller, RecentSamples } from './progress';

test('the measured share of a trial is that of its own documents', () => {
  const definition = readDefinition({
    version: 1,
    name: 'progress',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    factors: { 'measure.documents': [100, 400] },
  });
  const told: Progress[] = [];
  const listener = { onProgress: (progress: Progress) => told.push(progress), onEvent: () => undefined };
  const record = new RunRecord(
    newRun('run-1', definition),
    [],
    { saveRun: () => Promise.resolve() },
    listener,
  );
  const measured = resolveCells(definition).map((cell) => {
    const teller = new ProgressTeller(record, listener);
    teller.beginTrial({ order: 0, cell: cell.label, repetition: 0 }, cell.definition);
    teller.enter('measure');
    const recent = new RecentSamples();
    const counts = { ...noCounts(), attempted: 50, accepted: 50 };
    recent.add({ task: 'ingest', counts, backlog: 0, latency: encodeHistogram(createHistogram()) } as Sample);
    teller.sampled(recent);
    return told.at(-1)!.measured;
  });
  expect(measured).toEqual([0.5, 0.125]);
});
