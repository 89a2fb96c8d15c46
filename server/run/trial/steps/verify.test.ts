import { makeRun, REFRESH } from '../../../../common/analysis/testing/made-run';
import { resolveStoredCell } from '../../../../common/experiment/resolved-cells';
import type { TrialDocument } from '../../../../common/measurement/trial';
import type { TargetConnection } from '../../../target-cluster/connection';
import type { TrialListener } from '../input';
import { verify } from './verify';

const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } }));
const [MADE] = trials;
const { definition } = resolveStoredCell(run.definition, MADE!.cell);
const aTrial = (): TrialDocument => structuredClone(MADE!);

const SILENT: TrialListener = {
  onBegin: () => Promise.resolve(),
  onPhase: () => undefined,
  onDoing: () => undefined,
  onTimes: () => undefined,
  onSample: () => undefined,
  onProfile: () => undefined,
  onNote: () => undefined,
};

function verified(answers: (path: string) => { status: number; body: unknown }) {
  const document = { ...aTrial(), index: null };
  const notes: string[] = [];
  const connection = {
    request: ({ path }: { path: string }) => Promise.resolve(answers(path)),
  } as unknown as TargetConnection;
  const indices = { names: ['i'], prepare: () => Promise.resolve(null), remove: () => Promise.resolve([]) };
  const docs = verify({
    definition,
    target: { connection, indices },
    signal: new AbortController().signal,
    listener: { ...SILENT, onNote: (note) => notes.push(note) },
    document,
  });
  return { docs, trial: document, notes };
}

const SEGMENTS = { indices: { i: { shards: {} } } };
const answer =
  (count: unknown, segments: unknown = SEGMENTS) =>
  (path: string) => ({
    status: 200,
    body: path.endsWith('_count') ? count : path.endsWith('_segments') ? segments : {},
  });

test.each([
  ['a page', '<html>log in</html>'],
  ['text', { count: 'NaN' }],
])('a trial whose count is answered by %s completes as unverified, with the reason', async (_, count) => {
  const { docs, trial, notes } = verified(answer(count));
  expect(await docs).toBeNull();
  expect(trial.index).toBeNull();
  expect(trial.trial.unverified).toMatch(/^the index was not counted: could not count the documents: /);
  expect(notes).toEqual([`the trial is unverified: ${trial.trial.unverified}`]);
});

test('a trial whose documents were counted is verified, even if nothing else is known about its index', async () => {
  const { docs, trial, notes } = verified(answer({ count: 12 }, 'garbled'));
  expect(await docs).toBe(12);
  expect(trial.trial.unverified).toBeUndefined();
  expect(notes).toEqual([expect.stringContaining('no statistics of the index')]);
});

test('a missing index fails the check instead of skipping it', async () => {
  const { docs } = verified(() => ({ status: 404, body: { error: { reason: 'no such index [i]' } } }));
  await expect(docs).rejects.toThrow('no such index [i]');
});
