/**
 * Benchmark that compares OpenSearch with itself. It runs the preset `engines` with two clusters that differ only in an attribute of their
 * nodes. The claims of the preset say that both are equally fast. A refuted claim is therefore a false alarm. Dyno starts real clusters,
 * one after the other.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPreset } from '../../common/presets';
import { presetDefinition } from '../../common/presets/preset';
import { reportOf } from './runs';
import type { Row } from './table';

/** At most one of this many runs may refute a claim by chance: the claims of a run are judged together, with a confidence of 95%. */
const RUNS_PER_FALSE = 20;

const FACTOR = 'environment.node-attribute';
const CELLS = ['a', 'b'].map((side) => ({ 'environment.engine': 'opensearch', [FACTOR]: `side=${side}` }));

/** Executes `runs` runs. After each run, prints its refuted claims. */
export async function benchEnginesAlike(
  runs: number,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-engines-'));
  const quick = presetDefinition(findPreset('engines')!, 'quick');
  const definition = {
    ...quick,
    preset: undefined,
    factors: CELLS,
    expect: quick.expect!.map((claim) => claim.replace('environment.engine', FACTOR)),
  };
  const answers = new Map<string, Record<'confirmed' | 'refuted' | 'undecided', number>>();
  let falseRuns = 0;
  try {
    for (let run = 1; run <= runs; run += 1) {
      const { claims } = (await reportOf(folder, null, definition)).verdict;
      const refuted = claims.filter(({ answer }) => answer === 'refuted');
      if (refuted.length > 0) falseRuns += 1;
      process.stdout.write(`run ${run}: ${refuted.map(({ why }) => why).join('; ') || 'no claim refuted'}\n`);
      for (const { claim, answer } of claims) {
        const counts = answers.get(claim) ?? { confirmed: 0, refuted: 0, undecided: 0 };
        counts[answer] += 1;
        answers.set(claim, counts);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const most = Math.ceil(runs / RUNS_PER_FALSE);
  return {
    tables: [
      {
        title: `OpenSearch against OpenSearch, ${runs} runs`,
        rows: [...answers].map(([claim, counts]) => ({ claim, ...counts })),
      },
    ],
    failures:
      falseRuns > most
        ? [`${falseRuns} of ${runs} runs refute a claim although both sides are equal, at most ${most} may`]
        : [],
  };
}
