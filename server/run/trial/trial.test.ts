/** Tests that a trial removes its indices and pipelines if a step fails. Integration tests run whole trials with a real Elasticsearch. */
import { makeRun, REFRESH } from '../../../common/analysis/testing/made-run';
import { resolveStoredCell } from '../../../common/experiment/resolved-cells';
import { runError } from '../../../common/problem';
import type { TargetConnection } from '../../target-cluster/connection';
import type { TrialPipelines } from './parse';
import { executeTrial } from './trial';
import { WallClockWatch } from './wall-clock';

const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } }));
const [MADE] = trials;
const { definition } = resolveStoredCell(run.definition, MADE!.cell);

/** Carries out a trial whose first step, the creation of its pipelines, fails with `error`. */
function failing(error: Error, signal = new AbortController().signal) {
  const steps: string[] = [];
  const step = <T>(name: string, result: T): Promise<T> => {
    steps.push(name);
    return Promise.resolve(result);
  };
  const { experiment, cell } = MADE!;
  const executed = executeTrial({
    identity: {
      run: { id: 'r' },
      experiment,
      id: 'r-1',
      planned: { order: 1, repetition: 1, cell: 0 },
      cell,
      cluster: { uuid: 'u', name: 'c', version: '9.0.0' },
      lost: [],
    },
    definition,
    target: {
      connection: {} as TargetConnection,
      engine: 'elasticsearch',
      indices: {
        names: ['i'],
        prepare: () => step('create indices', null),
        remove: () => step('remove indices', ['shared']),
      },
      pipelines: {
        prepare: () => {
          steps.push('create pipelines');
          return Promise.reject(error);
        },
        remove: () => step('remove pipelines', []),
      } as unknown as TrialPipelines,
      clock: null,
    },
    generator: {
      jobFor: () => {
        throw new Error('no load is expected');
      },
      workerFile: '',
      workers: 1,
      seats: null,
      sharedMachine: false,
    },
    files: { folder: '' },
    wallClock: new WallClockWatch(),
    signal,
    listener: {
      onBegin: () => step('store', undefined),
      onPhase: (phase) => void steps.push(phase),
      onDoing: () => undefined,
      onTimes: () => undefined,
      onSample: () => undefined,
      onProfile: () => undefined,
      onNote: () => undefined,
    },
  });
  return { executed, steps };
}

const ALL = ['prepare', 'store', 'create pipelines', 'remove indices', 'remove pipelines'];

test('a trial that fails removes indices and pipelines, and names those that remain', async () => {
  const { executed, steps } = failing(runError('target.refused', '', 'no such processor'));
  const { trial, ...rest } = await executed;
  expect(trial.trial).toMatchObject({ state: 'failed', reason: 'no such processor' });
  expect(rest).toEqual({
    fatal: 'no such processor',
    byDefinition: false,
    indices: ['shared'],
    pipelines: [],
  });
  expect(steps).toEqual(ALL);
});

test('a trial that is cancelled has the reason of the signal', async () => {
  const cancelled = AbortSignal.abort(new Error('cancelled by SIGINT'));
  const { executed, steps } = failing(new Error('cut'), cancelled);
  expect((await executed).trial.trial).toMatchObject({ state: 'cancelled', reason: 'cancelled by SIGINT' });
  expect(steps).toEqual(ALL);
});

test('an error in Dyno itself is thrown, after indices and pipelines are removed', async () => {
  const { executed, steps } = failing(new TypeError('undefined is not a function'));
  await expect(executed).rejects.toThrow('undefined is not a function');
  expect(steps).toEqual(ALL);
});
