/**
 * Compares an engine with itself: the preset `engines` with two cells that differ only in an attribute of the nodes. No metric may be called
 * higher or lower. Dyno starts all clusters, so this tests the turns of environments with real starts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Comparison } from '../../common/analysis/comparison';
import { findPreset } from '../../common/presets';
import { presetDefinition } from '../../common/presets/preset';
import { reportOf } from './runs';
import type { Row } from './table';

/** One false word is allowed in so many runs. */
const RUNS_PER_WORD = 20;

const CELLS = ['a', 'b'].map((side) => ({
  'environment.engine': 'opensearch',
  'environment.node-attribute': `side=${side}`,
}));

/** Carries out `runs` runs and prints each as it ends. */
export async function benchEnginesAlike(
  runs: number,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-engines-'));
  const definition = {
    ...presetDefinition(findPreset('engines')!, 'quick'),
    preset: undefined,
    factors: CELLS,
  };
  const words = new Map<string, number>();
  try {
    for (let run = 1; run <= runs; run += 1) {
      const { cells } = await reportOf(folder, null, definition);
      const found = cells[1]!.tasks.flatMap(({ task, comparison, latencyComparison }) => [
        [`${task} throughput`, comparison] as const,
        [`${task} latency`, latencyComparison] as const,
      ]);
      const shown = found.map(([metric, own]) => `${metric} ${wordOf(own)}`);
      process.stdout.write(`run ${run}: ${shown.join(', ')}\n`);
      for (const [metric, own] of found)
        words.set(metric, (words.get(metric) ?? 0) + Number(['higher', 'lower'].includes(own?.word ?? '')));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const most = Math.ceil(runs / RUNS_PER_WORD);
  return {
    tables: [
      {
        title: `OpenSearch against OpenSearch, ${runs} runs`,
        rows: [...words].map(([metric, count]) => ({ metric, 'false words': count })),
      },
    ],
    failures: [...words]
      .filter(([, count]) => count > most)
      .map(([metric, count]) => `${count} false words for ${metric}, at most ${most} are allowed`),
  };
}

const wordOf = (comparison: Comparison | null | undefined): string =>
  comparison?.ratio == null
    ? 'not compared'
    : `${comparison.word} (${((comparison.ratio - 1) * 100).toFixed(1)}%)`;
