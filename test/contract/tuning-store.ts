/** Tests that each implementation of the store of automatic tunings must pass: that of Kibana and that of the standalone server. */
import { planTuning } from '../../common/tuning/plan';
import { START, TARGET } from '../../common/tuning/testing/simulated-target';
import { tuningOptionsSchema, type Tuning } from '../../common/tuning/tuning';
import { readDefinition } from '../../common/experiment/read';
import { thisProcess } from '../../server/process-life';
import { readAsked, type KeptTuning, type TuningStore } from '../../server/tuning/tuner';

const CHANGES = 3;

function made(id: string): KeptTuning {
  const request = readAsked(
    readDefinition(START),
    tuningOptionsSchema.parse({ goal: 'throughput', time: '15m' }),
  );
  const tuning: Tuning = {
    id,
    name: `Tuning ${id}`,
    state: 'running',
    reason: '',
    created: '2026-11-24T03:00:00.000Z',
    ended: null,
    request,
    target: TARGET,
    plan: planTuning(request, TARGET),
    stages: [],
    outcome: null,
  };
  // Removes keys without a value, as every storage does.
  return JSON.parse(JSON.stringify({ tuning, carrier: thisProcess() })) as KeptTuning;
}

/** Registers these tests with Jest. `open` returns two objects for one empty store, which simulate two processes. */
export function describeTuningStore(open: () => { store: TuningStore; another: TuningStore }): void {
  let store: TuningStore;
  let another: TuningStore;
  beforeEach(async () => {
    ({ store, another } = open());
    for (const { tuning } of await store.list()) await store.delete(tuning.id);
  });

  test('another process reads a complete tuning, by its id and in the list', async () => {
    expect(await store.create(made('a'))).toBe(true);
    expect(await another.get('a')).toEqual(made('a'));
    expect(await another.list()).toEqual([made('a')]);
    expect(await another.get('b')).toBeUndefined();
  });

  test('the first of two tunings with the same id is kept', async () => {
    await store.create(made('a'));
    const second = made('a');
    second.tuning.name = 'Another';
    expect(await another.create(second)).toBe(false);
    expect(await store.get('a')).toEqual(made('a'));
  });

  test('concurrent changes of two processes are all applied', async () => {
    await store.create(made('a'));
    const add = (one: TuningStore): Promise<unknown> =>
      one.update('a', (kept) => ({ ...kept, tuning: { ...kept.tuning, reason: `${kept.tuning.reason}+` } }));
    await Promise.all(Array.from({ length: CHANGES }, () => [add(store), add(another)]).flat());
    expect((await store.get('a'))!.tuning.reason).toBe('+'.repeat(2 * CHANGES));
  });

  test('a change gets the stored tuning and may leave it unchanged, and does not create a missing one', async () => {
    await store.create(made('a'));
    const carrier = { host: 'other', pid: 1, instance: 'one' };
    expect(await another.update('a', (kept) => ({ ...kept, carrier }))).toMatchObject({ carrier });
    expect(await store.update('a', () => undefined)).toEqual({ ...made('a'), carrier });
    expect(await store.get('a')).toEqual({ ...made('a'), carrier });
    expect(await store.update('b', (kept) => kept)).toBeUndefined();
    expect(await store.get('b')).toBeUndefined();
  });

  test('a removed tuning is gone for other processes, and can be removed again', async () => {
    await store.create(made('a'));
    await another.delete('a');
    expect(await store.get('a')).toBeUndefined();
    expect(await store.list()).toEqual([]);
    await store.delete('a');
  });
}
