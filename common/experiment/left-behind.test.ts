import { leftBehind, leftSentences } from './left-behind';
import type { RunDocument } from './run';

const aRun = (run: Partial<RunDocument['run']>): Pick<RunDocument, 'run' | 'provenance'> => ({
  run: {
    id: 'r',
    state: 'interrupted',
    reason: '',
    started: '',
    ended: null,
    heartbeat: '',
    carrier: { host: '', pid: 0, instance: '' },
    indices: [],
    ...run,
  },
  provenance: null,
});

test('lists what a run left, with the earlier values of settings', () => {
  const left = leftBehind(
    aRun({
      indices: ['dyno-trial-1'],
      pipelines: ['dyno-p'],
      replaced: { cluster: 'u', settings: { 'a.b': '10mb', 'c.d': null, 'e.f': 3 } },
    }),
  );
  expect(left).toMatchObject({ cluster: 'u', indices: ['dyno-trial-1'] });
  expect(leftSentences(left!)).toEqual([
    'the index dyno-trial-1',
    'the ingest pipeline dyno-p',
    'the cluster setting a.b, which was 10mb',
    'the cluster setting c.d, which was not set',
    'the cluster setting e.f, which was 3',
  ]);
});

test('nothing is left by a run that a process carries, that cleaned up, or whose cluster is gone', () => {
  const indices = ['dyno-trial-1'];
  expect(leftBehind(aRun({ state: 'running', indices }))).toBeNull();
  expect(leftBehind(aRun({ state: 'running', indices }), true)).toMatchObject({ indices });
  expect(leftBehind(aRun({}))).toBeNull();
  expect(leftBehind(aRun({ indices, beside: 'u' }))).toBeNull();
});
