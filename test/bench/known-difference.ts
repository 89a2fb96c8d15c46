/**
 * Benchmark with experiments whose correct result is known, on a real Elasticsearch. If two variants differ only in their name, Dyno must
 * report no difference. If a proxy slows down one variant, Dyno must report this variant as slower.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Comparison } from '../../common/analysis/comparison';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { passingProxy, reportOf } from './runs';
import { figure, type Row } from './table';

/**
 * A setting whose value cannot affect the results, because no document has this many fields. Two variants with different values of this
 * setting therefore differ only in name.
 */
const LABEL = 'index.settings.mapping.total_fields.limit';
const LEVELS = [1000, 1001] as const;

/** Share of the throughput that the slowed variant loses: 0.1 is 10%. */
const PLANTED = 0.1;
/**
 * Simulated network delay to the cluster, in ms. On two shared cores, the throughput of short trials varies by 11% without the delay, but
 * only by half as much with it.
 */
const DISTANCE_MS = 50;

const MOST_FALSE = 4;
const LEAST_FOUND = 8;
const LEAST_FOUND_OF = 10;

const ingest = (docs: number, clients: number): object => ({
  name: 'ingest',
  ingest: { source: { generator: 'systembase' }, bulk: { docs } },
  executor: { 'constant-clients': { clients } },
});

const DEFINITION = {
  version: 1,
  spread: 'given-hosts',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '30s' } },
  factors: { [LABEL]: LEVELS },
  measure: { warmup: '1s', duration: '4s', drain: '5s' },
};

/** Experiment whose two variants differ only in name. Its bulks are small, because a 99th percentile needs at least a thousand bulks. */
const SAME = { ...DEFINITION, name: 'the same twice', tasks: [ingest(50, 2)], trials: 4 };
/**
 * Experiment with a slowed variant. Its task has one client. With several clients, the clients that are not delayed at the moment would run
 * faster and hide the effect.
 */
const SLOWED = {
  ...DEFINITION,
  name: 'one cell slowed',
  tasks: [ingest(500, 1)],
  expect: [`ingest.throughput falls with ${LABEL}`],
  trials: { 'until-decided': { least: 3, most: 15, time: '15m' } },
};

/** A run whose results are ignored. It warms up the JVM, which would otherwise get faster from trial to trial. */
const WARM_UP = {
  ...DEFINITION,
  name: 'warm-up',
  factors: {},
  tasks: [ingest(500, 2)],
  measure: { warmup: '0s', duration: '90s' },
  trials: 1,
};

/**
 * Starts a proxy that delays all responses to bulks by {@link DISTANCE_MS}. It delays responses of the slowed variant further, in
 * proportion to the response time of the bulk. Therefore, the throughput of this variant is lower by the share {@link PLANTED} on every
 * machine.
 */
function slowingProxy(upstream: string): ReturnType<typeof passingProxy> {
  const slowed = new Set<string>();
  return passingProxy(upstream, ({ method, url, body, tookMs }) => {
    const trial = /^\/(dyno-trial-[\w-]+)/.exec(url)?.[1] ?? '';
    if (method === 'PUT' && trial !== '' && new RegExp(`\\b${LEVELS[1]}\\b`).test(body)) slowed.add(trial);
    if (!url.includes('_bulk') || trial === '') return 0;
    const more = slowed.has(trial) ? 1 / (1 - PLANTED) - 1 : 0;
    return DISTANCE_MS + (tookMs + DISTANCE_MS) * more;
  });
}

const isDirection = (comparison: Comparison | null | undefined): boolean =>
  comparison?.word === 'higher' || comparison?.word === 'lower';

const spreadOf = (comparison: Comparison | null | undefined): string =>
  comparison?.spread == null ? '' : `, trials vary by ${(comparison.spread * 100).toFixed(1)}%`;

const percent = (ratio: number | null | undefined): string =>
  ratio == null ? '–' : `${((ratio - 1) * 100).toFixed(1)}%`;

/**
 * Executes `same` runs whose variants differ only in name, then `slowed` runs with a slowed variant. Prints each result as soon as it is
 * known.
 */
export async function benchKnownDifference(
  same: number,
  slowed: number,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-known-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  const proxy = await slowingProxy(cluster.nodes[0]!.url);
  const failures: string[] = [];
  try {
    await reportOf(folder, cluster.nodes[0]!.url, WARM_UP);
    const counted = { throughput: 0, latency: 0 };
    for (let run = 1; run <= same; run += 1) {
      const { cells } = await reportOf(folder, cluster.nodes[0]!.url, SAME);
      const { comparison, latencyComparison } = cells[1]!.tasks[0]!;
      if (isDirection(comparison)) counted.throughput += 1;
      if (isDirection(latencyComparison)) counted.latency += 1;
      const shown = [comparison, latencyComparison].map(
        (one) => `${percent(one?.ratio)} ${one?.word ?? '–'}`,
      );
      process.stdout.write(
        `the same twice, run ${run}: throughput ${shown[0]}, p99 of the latency ${shown[1]}\n`,
      );
    }
    let found = 0;
    let trials = 0;
    const ratios: number[] = [];
    for (let run = 1; run <= slowed; run += 1) {
      const { cells, verdict } = await reportOf(folder, proxy.url, SLOWED);
      const { comparison } = cells[1]!.tasks[0]!;
      if (verdict.answer === 'confirmed') found += 1;
      if (verdict.answer === 'refuted') failures.push(`run ${run} of the slowed cell was refuted`);
      trials += cells[0]!.completed + cells[1]!.completed;
      if (comparison?.ratio != null) ratios.push(comparison.ratio);
      process.stdout.write(
        `one cell slowed, run ${run}: ${verdict.answer}, ${percent(comparison?.ratio)}, ${cells[1]!.completed} trials a cell${spreadOf(comparison)}\n`,
      );
    }
    for (const [what, words] of Object.entries(counted))
      if (words > MOST_FALSE)
        failures.push(`${words} false words for ${what}, at most ${MOST_FALSE} are allowed`);
    if (found * LEAST_FOUND_OF < slowed * LEAST_FOUND)
      failures.push(`${found} of ${slowed} found, at least ${LEAST_FOUND} of ${LEAST_FOUND_OF} are required`);
    const mean = ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length;
    const tables = [
      ...(same === 0
        ? []
        : [
            {
              title: `Two cells that differ only in a label, ${same} runs of ${SAME.trials} trials a cell`,
              rows: Object.entries(counted).map(([what, words]) => ({ figure: what, 'false words': words })),
            },
          ]),
      ...(slowed === 0
        ? []
        : [
            {
              title: `One cell slowed by ${PLANTED * 100}%, until decided`,
              rows: [
                {
                  runs: slowed,
                  found,
                  'trials a run': figure(trials / slowed),
                  'measured, mean': percent(Math.exp(mean)),
                },
              ],
            },
          ]),
    ];
    return { tables, failures };
  } finally {
    proxy.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
