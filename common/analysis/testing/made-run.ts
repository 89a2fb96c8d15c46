/**
 * Generated runs for tests of analysis and report. They are seeded and look like real runs. All values are derived from a few given values.
 */
import { definitionSchema, type Definition, type DefinitionInput } from '../../experiment/definition';
import { makePlan, storedCell, storedPlan } from '../../experiment/plan';
import type { Provenance, RunDocument } from '../../experiment/run';
import type { Cell, SampleDocument, TrialDocument } from '../../measurement/trial';
import { createRandom, deriveSeed } from '../../random';
import { iso, makeTask, samplesOf, server, type MadeTask } from './made-trial';

export { normal, type MadeTask } from './made-trial';

export const REFRESH: DefinitionInput = {
  version: 1,
  name: 'Refresh interval against indexing throughput',
  hypothesis: 'A longer refresh interval raises indexing throughput',
  expect: ['ingest.throughput rises with index.settings.refresh_interval'],
  index: { settings: { number_of_shards: 3, number_of_replicas: 1 }, mapping: 'apache-logs' },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 3000 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  factors: { 'index.settings.refresh_interval': ['1s', '5s', '30s'] },
  measure: { warmup: '30s', duration: '5m' },
  trials: 3,
  thresholds: ['ingest.rejection_rate < 1%', 'ingest.latency.p99 < 2s'],
};

export const define = (input: DefinitionInput): Definition => definitionSchema.parse(input);

export interface MadeTrial {
  tasks: Record<string, MadeTask>;
  limited?: boolean;
  unsettled?: boolean;
  state?: TrialDocument['trial']['state'];
}

export const PROVENANCE: Provenance = {
  dyno: '0.1.0',
  cluster: { name: 'bench', uuid: 'u-1', version: '9.5.3', url: 'https://bench:9200' },
  nodes: ['es-1', 'es-2', 'es-3'].map((name) => ({
    name,
    version: '9.5.3',
    jvm: '25.0.1',
    heapBytes: 8 * 1024 ** 3,
    cores: 8,
    memoryBytes: 16 * 1024 ** 3,
    os: 'Linux 6.8',
    roles: ['data', 'master'],
    disk: 'ssd',
    diskTotalBytes: 500 * 1024 ** 3,
    diskFreeBytes: 420 * 1024 ** 3,
  })),
  generator: {
    host: 'driver-1',
    cores: 8,
    memoryBytes: 32 * 1024 ** 3,
    node: '20.19.0',
    os: 'Linux 6.8',
    workers: 4,
  },
  resultsInTarget: false,
  sharedMachine: false,
};

const STARTED = Date.parse('2026-11-03T02:00:00.000Z');
const TRIAL_MS = 345_000;

export interface MadeRun {
  run: RunDocument;
  trials: TrialDocument[];
  samples: SampleDocument[];
}

/**
 * Returns a complete run of `input`. `make`: returns the behaviour of each trial. Samples are generated only if requested, because there
 * are many.
 */
export function makeRun(
  input: DefinitionInput,
  make: (cell: Cell, repetition: number, order: number) => MadeTrial,
  {
    id = 'run-1',
    withSamples = false,
    provenance = PROVENANCE,
    seed = 1,
  }: { id?: string; withSamples?: boolean; provenance?: Provenance | null; seed?: number } = {},
): MadeRun {
  const definition = define(input);
  const plan = makePlan(definition);
  const experiment = { id: 'experiment-1', name: definition.name };
  const samples: SampleDocument[] = [];
  const trials = plan.trials.map(({ order, cell: index, repetition }): TrialDocument => {
    const cell = storedCell(plan.cells[index]!);
    const made = make(cell, repetition, order);
    const random = createRandom(deriveSeed(seed, 'trial', order));
    const state = made.state ?? 'completed';
    const done = state === 'completed';
    const tasks = done
      ? Object.entries(made.tasks).map(([name, task]) =>
          makeTask(plan.cells[index]!.definition, name, task, made.unsettled ?? false, random),
        )
      : [];
    const start = STARTED + order * TRIAL_MS;
    const document: TrialDocument = {
      run: { id },
      experiment,
      trial: {
        id: `${id}-${order}`,
        order,
        repetition,
        state,
        reason: done ? '' : 'the host went away',
        index: `dyno-trial-${order}`,
      },
      cell,
      times: {
        started: iso(start),
        warmup: iso(start + 5000),
        measure: done ? iso(start + 35_000) : null,
        drain: done ? iso(start + 335_000) : null,
        ended: iso(start + 340_000),
      },
      tasks,
      server: done
        ? server(tasks, cell.levels['index.settings.refresh_interval'] === '30s' ? 36 : 600)
        : null,
      index: done
        ? {
            docs: tasks.reduce((sum, { kind, total }) => sum + (kind === 'ingest' ? total.accepted : 0), 0),
            storeBytes: 1.4 * 1024 ** 3,
            segments: 48,
            primaries: '1-1-1',
            shards: '2-2-2',
          }
        : null,
      generator: done
        ? {
            cpuMs: 240,
            utilisation: made.limited ? 0.99 : 0.31,
            eventLoopDelayMs: 12,
            scheduleLagMs: 0,
            workers: 4,
            limited: made.limited ?? false,
            reason: made.limited ? 'a load thread was busy for 99% of the time' : '',
          }
        : null,
    };
    if (withSamples) samples.push(...samplesOf(document, start + 5000, random));
    return document;
  });
  const ended = STARTED + plan.trials.length * TRIAL_MS;
  const run: RunDocument = {
    '@timestamp': iso(STARTED),
    run: {
      id,
      state: 'completed',
      reason: '',
      started: iso(STARTED),
      ended: iso(ended),
      heartbeat: iso(ended),
      carrier: { host: 'driver-1', pid: 1, instance: 'i-1' },
      indices: [],
    },
    experiment: { ...experiment, hypothesis: definition.hypothesis, preset: definition.preset ?? null },
    definition,
    plan: storedPlan(plan),
    progress: {
      trials: plan.trials.length,
      completed: trials.filter(({ trial }) => trial.state === 'completed').length,
      current: null,
    },
    provenance,
    verdict: null,
    events: [],
  };
  return { run, trials, samples };
}

/**
 * Returns a run with three refresh intervals and three trials of each. Throughput increases clearly with each level, as the hypothesis
 * claims.
 */
export const refreshRun = (
  options: { withSamples?: boolean; id?: string; provenance?: Provenance | null; seed?: number } = {},
): MadeRun =>
  makeRun(
    REFRESH,
    ({ levels }) => {
      const rate = { '1s': 12_300, '5s': 13_900, '30s': 15_100 }[
        String(levels['index.settings.refresh_interval'])
      ]!;
      return { tasks: { ingest: { rate, batch: 3000, medianMs: 6e6 / rate } } };
    },
    options,
  );
