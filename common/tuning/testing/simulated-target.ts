/** A simulated target with given effects of settings, noise and drift. */
import { makeRun, normal } from '../../analysis/testing/made-run';
import { makePlan, storedCell, storedPlan } from '../../experiment/plan';
import type { Definition, DefinitionInput } from '../../experiment/definition';
import { readDefinition } from '../../experiment/read';
import type { TrialDocument } from '../../measurement/trial';
import { createRandom, deriveSeed } from '../../random';
import { usualLimits } from '../goal';
import type { TargetKnown } from '../knobs';
import { planTuning, stageDefinition, withTrials } from '../plan';
import { nextStep } from '../decide';
import { readRequest, tuningOptionsSchema, type Outcome, type StoredRun, type Tuning } from '../tuning';

export const START: DefinitionInput = {
  version: 1,
  name: 'Logs of the shop',
  index: {
    name: 'shop',
    settings: { number_of_shards: 4, number_of_replicas: 1, refresh_interval: '1s' },
    mapping: 'apache-logs',
  },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 200 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
    {
      name: 'queries',
      search: { requests: [{ name: 'latest', body: { size: 10 } }] },
      executor: { 'constant-clients': { clients: 1 } },
    },
  ],
};

export const TARGET: TargetKnown = { dataNodes: 2, cores: 4, version: '9.5.3', serverless: false };

export interface Nature {
  /** Coefficient of variation of a trial. */
  cv: number;
  /** Drift of the throughput over a whole tuning: -0.1 means 10% less at its end. */
  drift: number;
  /**
   * Returns the number by which the usual throughput is multiplied, for a cell with these levels. 1.2 means 20% more. `experiment`: name of
   * the experiment.
   */
  throughput: (levels: Readonly<Record<string, unknown>>, experiment: string) => number;
  /** Returns the number by which the usual p95 of searches is multiplied. 1.2 means 20% more. Absent: the p95 stays the same. */
  latency?: (levels: Readonly<Record<string, unknown>>, experiment: string) => number;
}

const RATE = 10_000;
const P95_MS = 80;
const TRIAL_MS = 15_000;
/** Number of trials over which the drift is spread. */
const TUNING_TRIALS = 70;

/** The values in a trial's document that are not simulated, equal for all trials. */
const pattern = ((): ((definition: Definition) => TrialDocument) => {
  let made: TrialDocument | undefined;
  return () =>
    (made ??= makeRun(START, () => ({
      tasks: { ingest: { rate: RATE, batch: 200 }, queries: { rate: 50 } },
    })).trials[0]!);
})();

/**
 * Simulates the run of a stage of the tuning. `definition`: the experiment of the stage. `done`: number of trials in all earlier stages.
 */
export function simulateRun(
  id: string,
  definition: Definition,
  nature: Nature,
  seed: number,
  done: number,
): StoredRun {
  const plan = makePlan(definition);
  const random = createRandom(deriveSeed(seed, id));
  const common = pattern(definition);
  const startedAt = Date.UTC(2026, 0, 1) + done * TRIAL_MS;
  const trials = plan.trials.map(({ order, cell: index, repetition }): TrialDocument => {
    const cell = storedCell(plan.cells[index]!);
    const drift = 1 + (nature.drift * (done + order)) / TUNING_TRIALS;
    const noise = (): number => 1 + nature.cv * normal(random);
    const throughput = RATE * nature.throughput(cell.levels, definition.name) * drift * noise();
    const p95 = ((P95_MS * (nature.latency?.(cell.levels, definition.name) ?? 1)) / drift) * noise();
    return {
      ...common,
      run: { id },
      times: {
        ...common.times,
        started: new Date(startedAt + order * TRIAL_MS).toISOString(),
        ended: new Date(startedAt + (order + 1) * TRIAL_MS).toISOString(),
      },
      trial: { ...common.trial, id: `${id}-${order}`, order, repetition },
      cell,
      tasks: common.tasks.map((task) => ({
        ...task,
        throughput,
        latency: { ...task.latency, p95 },
      })),
    };
  });
  const made = makeRun({ ...START, trials: 1 }, () => ({ tasks: {}, state: 'failed' }), { id });
  return {
    run: {
      ...made.run,
      run: {
        ...made.run.run,
        started: new Date(startedAt).toISOString(),
        ended: new Date(startedAt + trials.length * TRIAL_MS).toISOString(),
      },
      definition,
      plan: storedPlan(plan),
    },
    trials,
  };
}

export interface Simulated {
  outcome: Outcome;
  stages: Tuning['stages'];
  trials: number;
}

/** Simulates a whole tuning with the real decisions. */
export function simulateTuning(
  nature: Nature,
  seed: number,
  { options = {}, start = START }: { options?: Record<string, unknown>; start?: DefinitionInput } = {},
): Simulated {
  const definition = readDefinition(start);
  const read = tuningOptionsSchema.parse({ goal: 'throughput', time: '15m', ...options });
  const request = withTrials(readRequest(definition, read, usualLimits(read.goal, definition)));
  const plan = planTuning(request, TARGET);
  const tuning = { id: 'tuning-1', name: 'Simulated', request, plan, stages: [] as Tuning['stages'] };
  const runs = new Map<string, StoredRun>();
  let done = 0;
  for (;;) {
    const step = nextStep(tuning, runs);
    if (step.kind === 'end') return { outcome: step.outcome, stages: tuning.stages, trials: done };
    const run = `run-${tuning.stages.length + 1}`;
    const stored = simulateRun(run, stageDefinition(tuning, step.stage), nature, seed, done);
    runs.set(run, stored);
    done += stored.trials.length;
    tuning.stages.push({ ...step.stage, run, experiment: run });
  }
}
