/** Profiles of simulated trials, with as many frames as the profile of a busy cluster. */
import type { MadeRun } from '../../../common/analysis/testing/made-run';
import { createRandom } from '../../../common/random';
import type { TrialProfile } from '../../../common/report/model/profile';

/** Calls with which the stacks of all threads begin. */
const START = [
  'java.lang.Thread.run',
  'java.util.concurrent.ThreadPoolExecutor.runWorker',
  'org.elasticsearch.Task.doRun',
];
const POOLS = ['write', 'search', 'refresh', 'Lucene Merge Thread'];
const WORDS = ['Index', 'Merge', 'Doc', 'Term', 'Block', 'Field', 'Query', 'Segment', 'Codec', 'Buffer'];
const VERBS = ['read', 'write', 'next', 'add', 'flush', 'merge', 'parse', 'collect'];

/** Draws a call tree of about `frames` frames. Returns the stacks without node and pool. */
function drawStacks(frames: number, seed: number): string[][] {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.unit() * list.length)]!;
  const drawn: string[][] = [[...START]];
  while (drawn.length < frames) {
    const caller = pick(drawn);
    const depth = caller.length > 60 ? 20 : caller.length;
    drawn.push([
      ...caller.slice(0, depth),
      `org.apache.lucene.index.${pick(WORDS)}${pick(WORDS)}${Math.floor(random.unit() * 50)}.${pick(VERBS)}`,
    ]);
  }
  return drawn;
}

/**
 * Adds activities to the nodes of the trials, and returns the profile of each trial. With the last cell, refreshes take a tenth of the time
 * that they take with the first one.
 */
export function madeProfiles({ run, trials }: MadeRun, frames: number): TrialProfile[] {
  const stacks = drawStacks(frames, 7);
  const random = createRandom(11);
  const last = Math.max(...trials.map(({ cell }) => cell.index));
  return trials.map(({ trial, cell, experiment, times, server }) => {
    const refresh = cell.index === last ? 2 : 20;
    for (const node of server?.perNode ?? [])
      node.profile = { readings: 60, cpuMs: 100, activities: { refresh, indexing: 100 - refresh } };
    const weights = new Map<string, number>();
    for (const [at, frame] of stacks.entries())
      weights.set(
        ['node-1', POOLS[at % POOLS.length]!, ...frame].join(';'),
        Math.round(20 + random.unit() * 20),
      );
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    weights.set(
      ['node-2', 'refresh', ...START, 'org.elasticsearch.index.engine.InternalEngine.refresh'].join(';'),
      Math.round((total * refresh) / 100 + random.unit() * 100),
    );
    return {
      '@timestamp': times.started,
      run: { id: run.run.id },
      experiment,
      trial: { id: trial.id, repetition: trial.repetition, order: trial.order },
      cell: { id: cell.id, label: cell.label, index: cell.index },
      ...{ source: 'hot-threads', event: 'cpu', unit: 'us', total, samples: 20_000, folded: 0 },
      stacks: weights,
    };
  });
}
