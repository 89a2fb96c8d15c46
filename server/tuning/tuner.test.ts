import { START, simulateRun, TARGET, type Nature } from '../../common/tuning/testing/simulated-target';
import { tuningOptionsSchema, type StoredRun } from '../../common/tuning/tuning';
import type { Definition } from '../../common/experiment/definition';
import { readDefinition } from '../../common/experiment/read';
import type { RunState } from '../../common/experiment/run';
import { thisProcess, type ProcessIdentity } from '../process-life';
import { runTaken } from '../results/leases';
import { sampleIn } from './draft';
import { Tuner, type KeptTuning, type TunerParts, type TuningStore } from './tuner';

/** Behaviour of the simulated target: bulks of 2500 documents increase the throughput by 30%. */
const NATURE: Nature = {
  cv: 0.02,
  drift: 0,
  throughput: (levels) => (levels['tasks.ingest.ingest.bulk.docs'] === 2500 ? 1.3 : 1),
};
const OPTIONS = tuningOptionsSchema.parse({ goal: 'throughput', time: '15m' });
const definition = readDefinition(START);
/** A process that does not exist, because its id is above the maximum of Linux. */
const GONE = { ...thisProcess(), pid: 2 ** 22 + 1, instance: 'ended' };

function inMemory(): TuningStore & { kept: Map<string, KeptTuning> } {
  const kept = new Map<string, KeptTuning>();
  return {
    kept,
    list: () => Promise.resolve([...kept.values()]),
    get: (id) => Promise.resolve(kept.get(id)),
    create: (one) => Promise.resolve(kept.has(one.tuning.id) ? false : Boolean(kept.set(one.tuning.id, one))),
    update: (id, change) => {
      const found = kept.get(id);
      const changed = found && change(found);
      if (changed) kept.set(id, changed);
      return Promise.resolve(changed ?? found);
    },
    delete: (id) => Promise.resolve(void kept.delete(id)),
  };
}

/** Returns runs on a simulated target, which end immediately. `ends` returns their final state. */
function simulatedRuns(ends: (number: number) => RunState = () => 'completed') {
  const stored = new Map<string, StoredRun & { experiment: string }>();
  const cancelled: string[] = [];
  const resumed: string[] = [];
  let trials = 0;
  const runs: TunerParts['runs'] = {
    start: (order) => {
      const run = `run-${stored.size + 1}`;
      const made = simulateRun(run, order.definition as Definition, NATURE, 1, trials);
      trials += made.trials.length;
      made.run.run = { ...made.run.run, id: run, state: ends(stored.size + 1), reason: 'as simulated' };
      stored.set(run, { ...made, experiment: order.experimentId });
      return Promise.resolve({ run, state: 'queued' });
    },
    cancel: (run) => Promise.resolve(void cancelled.push(run)) as never,
    resume: (run) => {
      resumed.push(run);
      stored.get(run)!.run.run.state = 'completed';
      return Promise.resolve({ run, state: 'queued' }) as never;
    },
    progress: () => null,
    delete: (run) => Promise.resolve({ deleted: Number(stored.delete(run)) }),
  };
  const reader = {
    getRun: (run: string) => Promise.resolve(stored.get(run)?.run),
    getTrials: (run: string) => Promise.resolve(stored.get(run)!.trials),
    listRuns: ({ experiment }: { experiment?: string }) =>
      Promise.resolve(
        [...stored.values()].filter((one) => one.experiment === experiment).map(({ run }) => run),
      ),
  } as unknown as TunerParts['reader'];
  return { runs, reader, stored, cancelled, resumed };
}

/** Returns leases like those in the results cluster. Only the process `GONE` counts as ended. */
function inMemoryLeases() {
  const held = new Map<string, ProcessIdentity>();
  const isHeldBy = (id: string, { instance }: ProcessIdentity): boolean =>
    held.get(id)?.instance === instance;
  const leases: TunerParts['leases'] = {
    take: (id, carrier, isGone) => {
      const by = held.get(id);
      if (by && !isHeldBy(id, carrier) && !isGone({ '@timestamp': '', run: { id }, carrier: by }, Date.now()))
        return Promise.reject(runTaken(id, by));
      held.set(id, carrier);
      return Promise.resolve();
    },
    renew: () => Promise.resolve(),
    release: (id, carrier) => Promise.resolve(void (isHeldBy(id, carrier) && held.delete(id))),
  };
  return { leases, held };
}

let experiments = 0;
const removed: string[] = [];
beforeEach(() => void (removed.length = 0));

function tunerOf(
  store: TuningStore,
  { runs, reader }: Pick<TunerParts, 'runs' | 'reader'>,
  { leases } = inMemoryLeases(),
): Tuner {
  return new Tuner({
    ...{ store, leases, runs, reader },
    keepExperiment: () => Promise.resolve(`experiment-${(experiments += 1)}`),
    removeExperiment: (id) => Promise.resolve(void removed.push(id)),
    takeSample: () => Promise.resolve(),
    removeSample: (tuned) => Promise.resolve(removed.push(sampleIn(tuned)!) > 0),
    describe: () => Promise.resolve(TARGET),
    check: () => Promise.resolve(),
    onProblem: ({ message }) => {
      throw new Error(message);
    },
  });
}

test('executes a tuning from its plan to its recommendation, each stage as an experiment with a run', async () => {
  const [store, simulated] = [inMemory(), simulatedRuns()];
  const tuner = tunerOf(store, simulated);
  const { id, plan } = await tuner.start(definition, OPTIONS);
  expect(plan.candidates.length).toBeGreaterThan(3);
  const { state, reason, stages, outcome } = await tuner.ended(id);
  expect({ state, reason }).toEqual({ state: 'completed', reason: '' });
  expect(outcome!.recommended).toBe(true);
  expect(outcome!.lines.map(({ candidate }) => candidate.id)).toEqual(['bulk: 2,500 documents']);
  expect(stages.map(({ run }) => run)).toEqual([...simulated.stored.keys()]);
  expect(new Set(stages.map(({ experiment }) => experiment)).size).toBe(stages.length);
});

test('ends with the reason of a failed run, and can be resumed from there', async () => {
  const [store, simulated] = [inMemory(), simulatedRuns((number) => (number === 2 ? 'failed' : 'completed'))];
  const tuner = tunerOf(store, simulated);
  const { id } = await tuner.start(definition, OPTIONS);
  expect(await tuner.ended(id)).toMatchObject({
    state: 'failed',
    reason: 'its run run-2 is failed: as simulated',
    outcome: null,
  });
  simulated.stored.get('run-2')!.run.run.state = 'completed';
  await tuner.resume(id);
  expect(await tuner.ended(id)).toMatchObject({ state: 'completed', outcome: { recommended: true } });
  await expect(tuner.resume(id)).rejects.toMatchObject({ code: 'tuning.not-running' });
});

test('is taken up by the next process, which begins no stage twice and resumes an interrupted run', async () => {
  const [store, simulated] = [inMemory(), simulatedRuns((number) => (number === 2 ? 'failed' : 'completed'))];
  const first = tunerOf(store, simulated);
  const { id } = await first.start(definition, OPTIONS);
  const { stages } = await first.ended(id);
  // The state after a process has ended during the second run, before it stored the id of that run.
  simulated.stored.get('run-2')!.run.run.state = 'interrupted';
  const kept = store.kept.get(id)!;
  const left = stages.map((stage, at) => (at === 1 ? { ...stage, run: '' } : stage));
  store.kept.set(id, { tuning: { ...kept.tuning, state: 'running', stages: left }, carrier: GONE });

  const next = tunerOf(store, simulated);
  expect(await next.takeUp()).toEqual([`Tuning of ${definition.name} continues`]);
  const ended = await next.ended(id);
  expect(ended).toMatchObject({ state: 'completed', outcome: { recommended: true } });
  expect(simulated.resumed).toEqual(['run-2']);
  expect(ended.stages.map(({ run }) => run)).toEqual([...simulated.stored.keys()]);
  expect(await tunerOf(store, simulated).takeUp()).toEqual([]);
});

describe('of several processes', () => {
  /** A process that is alive on another machine. Only the lease that it holds shows that it is alive. */
  const ELSEWHERE = { host: 'elsewhere', pid: 7, instance: '7-100' };
  const left = async (carrier: ProcessIdentity) => {
    const [store, simulated, claims] = [inMemory(), simulatedRuns(), inMemoryLeases()];
    const first = tunerOf(store, simulated, claims);
    const { id } = await first.start(definition, OPTIONS);
    await first.ended(id);
    expect([...claims.held]).toEqual([]);
    const kept = store.kept.get(id)!;
    store.kept.set(id, { tuning: { ...kept.tuning, state: 'running', outcome: null }, carrier });
    claims.held.set(id, carrier);
    return { id, store, claims, simulated, next: tunerOf(store, simulated, claims) };
  };

  test('one takes up an abandoned tuning, and holds its lease until the tuning has ended', async () => {
    const { id, next, claims } = await left(GONE);
    expect(await next.takeUp()).toHaveLength(1);
    expect(claims.held.get(id)).toEqual(thisProcess());
    await expect(next.resume(id)).rejects.toMatchObject({ code: 'tuning.claimed' });
    expect(await next.ended(id)).toMatchObject({ state: 'completed' });
    expect([...claims.held]).toEqual([]);
  });

  test('none takes a tuning that another executes, even on request, nor takes up an abandoned one twice', async () => {
    const { id, next, store, claims } = await left(GONE);
    claims.held.set(id, { ...ELSEWHERE });
    claims.leases.take = (given) => Promise.reject(runTaken(given, ELSEWHERE));
    await expect(next.resume(id)).rejects.toMatchObject({ code: 'tuning.claimed' });
    expect(await next.takeUp()).toEqual([]);
    expect(store.kept.get(id)!.carrier).toEqual(GONE);
  });

  test('one that was wrongly taken for dead changes nothing any more', async () => {
    const [store, simulated] = [inMemory(), simulatedRuns(() => 'running')];
    const tuner = tunerOf(store, simulated);
    const { id } = await tuner.start(definition, OPTIONS);
    while (store.kept.get(id)!.tuning.stages.at(-1)?.run !== 'run-1') await new Promise(setImmediate);
    const taken = { ...store.kept.get(id)!, carrier: ELSEWHERE };
    store.kept.set(id, taken);
    simulated.stored.get('run-1')!.run.run.state = 'failed';
    await tuner.ended(id);
    expect(store.kept.get(id)).toEqual(taken);
    expect(simulated.cancelled).toEqual([]);
  });
});

test('cancels its run with it, and starts no other', async () => {
  const [store, simulated] = [inMemory(), simulatedRuns(() => 'running')];
  const tuner = tunerOf(store, simulated);
  const { id } = await tuner.start(definition, OPTIONS);
  while (store.kept.get(id)!.tuning.stages.at(-1)?.run !== 'run-1') await new Promise(setImmediate);
  expect(await tuner.cancel(id)).toMatchObject({ state: 'cancelled' });
  expect(simulated.cancelled).toEqual(['run-1']);
  simulated.stored.get('run-1')!.run.run.state = 'cancelled';
  expect(await tuner.ended(id)).toMatchObject({ state: 'cancelled', outcome: null });
  expect([...simulated.stored.keys()]).toEqual(['run-1']);
  await expect(tuner.cancel(id)).rejects.toMatchObject({ code: 'tuning.not-running' });
});

describe('deleting', () => {
  const SAMPLE = 'tuning-shop-mibq2x1k.ndjson';
  const ofSample = readDefinition({
    ...START,
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { file: SAMPLE, repeat: true }, bulk: { docs: 200 } },
        executor: { 'constant-clients': { clients: 2 } },
      },
    ],
  });
  const ended = async (store: TuningStore, simulated: ReturnType<typeof simulatedRuns>) => {
    const tuner = tunerOf(store, simulated);
    const { id } = await tuner.start(ofSample, OPTIONS);
    return { tuner, tuning: await tuner.ended(id) };
  };

  test('removes the sample and keeps the runs, unless runs and experiments shall be deleted too', async () => {
    const [store, simulated] = [inMemory(), simulatedRuns()];
    const one = await ended(store, simulated);
    const runs = simulated.stored.size;
    expect(await one.tuner.delete(one.tuning.id, 'keep')).toEqual({ deletedRuns: 0, sample: true });
    expect(removed).toEqual([SAMPLE]);
    expect(simulated.stored.size).toBe(runs);
    const other = await ended(store, simulated);
    const stages = other.tuning.stages.map(({ experiment }) => experiment);
    const answer = await other.tuner.delete(other.tuning.id, 'delete');
    expect(answer).toEqual({ deletedRuns: stages.length, sample: true });
    expect(removed).toEqual([SAMPLE, ...stages, SAMPLE]);
    expect(simulated.stored.size).toBe(runs);
    await expect(other.tuner.get(other.tuning.id)).rejects.toMatchObject({ code: 'tuning.not-found' });
  });

  test('keeps a sample that another tuning reads', async () => {
    const [store, simulated] = [inMemory(), simulatedRuns()];
    const [one] = [await ended(store, simulated), await ended(store, simulated)];
    expect(await one.tuner.delete(one.tuning.id, 'keep')).toMatchObject({ sample: false });
    expect(removed).toEqual([]);
  });

  test('is refused while the tuning is running', async () => {
    const [store, simulated] = [inMemory(), simulatedRuns(() => 'running')];
    const tuner = tunerOf(store, simulated);
    const { id } = await tuner.start(ofSample, OPTIONS);
    await expect(tuner.delete(id, 'delete')).rejects.toMatchObject({ code: 'tuning.running' });
    await tuner.close();
  });

  test('keeps a file with another name, which is not a sample', () => {
    const of = (file: string): string | undefined =>
      sampleIn({
        ...ofSample,
        tasks: [{ ...ofSample.tasks[0]!, ingest: { ...ofSample.tasks[0]!.ingest!, source: { file } } }],
      } as Definition);
    expect(of(SAMPLE)).toBe(SAMPLE);
    expect(of('tuning-shop-mine.ndjson')).toBeUndefined();
    expect(of('../tuning-shop-mibq2x1k.ndjson')).toBeUndefined();
    expect(of('shop.ndjson')).toBeUndefined();
  });
});
