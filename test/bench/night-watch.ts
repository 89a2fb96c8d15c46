/**
 * Real experiments run after run, each run `dyno run` and then `dyno watch` on the embedded Elasticsearch: 20 runs, 10 that
 * are slower by 15%, and the runs after that was undone. One is slowed by a setting of its index, one by the way to the cluster.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { WatchNotice } from '../../common/history/watch';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { command, passingProxy, reportOf } from './runs';
import type { Row } from './table';

const GOOD = 20;
const BAD = 10;
const UNDONE = 10;

/** What a run's slow runs must be told within. */
const MOST_HISTORY_RUNS = 5;

const ingest = (refreshInterval: string, executor: object, params: object): object => ({
  version: 1,
  spread: 'given-hosts',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: refreshInterval } },
  tasks: [
    { name: 'ingest', ingest: { source: { generator: 'systembase' }, bulk: { docs: 1 }, params }, executor },
  ],
  measure: { warmup: '1s', duration: '2s', drain: '5s' },
  trials: 2,
});

interface Scenario {
  name: string;
  /** The definition of a run; `slow` is the planted difference. */
  definition: (slow: boolean) => object;
  /** How long answers to bulks are held back, ms. */
  wayMs: (slow: boolean) => number;
  /** What must be said to have changed in the same run. */
  changed: string;
}

const SCENARIOS: readonly Scenario[] = [
  {
    // A bulk with `refresh=wait_for` is answered once the next refresh is done: its time is the interval.
    name: 'refresh interval of an index whose bulks wait for it',
    definition: (slow) =>
      ingest(slow ? '460ms' : '400ms', { 'constant-clients': { clients: 20 } }, { refresh: 'wait_for' }),
    wayMs: () => 0,
    changed: 'index.settings.refresh_interval 400ms → 460ms',
  },
  {
    name: 'way to the cluster',
    definition: () => ingest('5s', { 'constant-rate': { rate: 60 } }, {}),
    wayMs: (slow) => (slow ? 230 : 200),
    changed: 'Nothing that is recorded changed in the same run',
  },
];

interface Outcome {
  /** Runs of each kind until it was told; null for never. */
  told: number | null;
  recovered: number | null;
  falseAlarms: number;
  sentence: string;
  cause: string;
  notices: WatchNotice[];
  failures: string[];
}

/** All runs of one experiment. */
async function watched(scenario: Scenario, folder: string, elasticsearch: string): Promise<Outcome> {
  const { name, definition, wayMs, changed } = scenario;
  const notices: WatchNotice[] = [];
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.once('end', () => {
      notices.push(JSON.parse(body) as WatchNotice);
      response.end();
    });
  });
  await new Promise<void>((listening) => hook.listen(0, '127.0.0.1', listening));
  const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  let slow = false;
  const proxy = await passingProxy(elasticsearch, ({ url }) =>
    url.includes('dyno-trial') && url.includes('_bulk') ? wayMs(slow) : 0,
  );
  const [junit, markdown] = ['junit.xml', 'summary.md'].map((file) => path.join(folder, file)) as [
    string,
    string,
  ];
  const failures: string[] = [];
  const found: Outcome = {
    ...{ told: null, recovered: null, falseAlarms: 0, sentence: '', cause: '' },
    ...{ notices, failures },
  };
  try {
    await reportOf(folder, proxy.url, {
      ...definition(false),
      name: `${name}, warm-up`,
      measure: { warmup: '0s', duration: '30s' },
      trials: 1,
    });
    for (let night = 0; night < GOOD + BAD + UNDONE; night += 1) {
      slow = night >= GOOD && night < GOOD + BAD;
      const { run } = await reportOf(folder, proxy.url, { ...definition(slow), name });
      const files = ['--junit', junit, '--markdown', markdown, '--webhook', webhook];
      const { code, stdout, said } = await command(folder, [
        'watch',
        name,
        '--results',
        elasticsearch,
        ...files,
      ]);
      process.stdout.write(
        `${name}, run ${night}, run ${run.id}: ${String(code)} ${stdout.split('\n')[0]}\n`,
      );
      if (code !== 0 && code !== 1 && code !== 4) throw new Error(said);
      if (code === 1 && (night < GOOD || (!slow && found.told === null))) found.falseAlarms += 1;
      else if (code === 1 && found.told === null) {
        found.told = night - GOOD + 1;
        const [, sentence = '', ...cause] = stdout.split('\n');
        [found.sentence, found.cause] = [sentence, cause.join(' ')];
        for (const [what, text] of [
          ['standard output', stdout],
          ['Markdown', readFileSync(markdown, 'utf8').replaceAll('\\', '')],
          ['JUnit', readFileSync(junit, 'utf8')],
        ] as const)
          if (!text.includes(changed)) failures.push(`${name}: ${what} does not say "${changed}"`);
        if (!notices.some(({ changes }) => changes.some(({ lines }) => lines.join(' ').includes(changed))))
          failures.push(`${name}: no notice says "${changed}"`);
      } else if (code === 0 && night >= GOOD + BAD && found.recovered === null)
        found.recovered = night - GOOD - BAD + 1;
    }
  } finally {
    proxy.stop();
    hook.close();
    hook.closeAllConnections();
  }
  const history = await command(folder, ['history', name, '--results', elasticsearch]);
  process.stdout.write(`${history.stdout}\n`);
  if (found.falseAlarms > 0) failures.push(`${name}: ${found.falseAlarms} false alarms`);
  for (const [what, nights] of [
    ['the regression', found.told],
    ['the recovery', found.recovered],
  ] as const)
    if (nights === null || nights > MOST_HISTORY_RUNS)
      failures.push(
        `${name}: ${what} was told after ${nights ?? 'no'} runs, ${MOST_HISTORY_RUNS} at most should do`,
      );
  return found;
}

export async function benchHistoryWatch(): Promise<{
  tables: { title: string; rows: Row[] }[];
  failures: string[];
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-night-watch-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  try {
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const scenario of SCENARIOS) {
      const found = await watched(scenario, folder, cluster.nodes[0]!.url);
      failures.push(...found.failures);
      rows.push({
        'slower by 15%': scenario.name,
        'told after runs': found.told ?? '–',
        'recovery after runs': found.recovered ?? '–',
        'false alarms': found.falseAlarms,
        notices: found.notices.length,
      });
    }
    const title = `${GOOD} runs, ${BAD} slower ones, ${UNDONE} as before`;
    return { tables: [{ title, rows }], failures };
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
