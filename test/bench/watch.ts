/**
 * Repeats real experiments on the embedded Elasticsearch: 20 normal runs, 10 runs that are slower by 15%, and again 10 normal runs. After
 * each `dyno run`, the result of `dyno watch` must be correct. In one experiment an index setting makes the runs slow, in the other a
 * network delay.
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

/** Number of runs within which `dyno watch` must report the slowdown, and later the recovery. */
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
  /** Returns the definition of a run. `slow`: whether to return the definition of a slow run. */
  definition: (slow: boolean) => object;
  /** Returns the time by which a proxy delays responses to bulks, in ms. `slow`: whether the run is to be slower. */
  wayMs: (slow: boolean) => number;
  /** Text that the report must contain: what else changed in the first slow run. */
  changed: string;
}

const SCENARIOS: readonly Scenario[] = [
  {
    // A bulk with `refresh=wait_for` is answered after the next refresh, so the refresh interval determines its time.
    name: 'refresh interval of an index whose bulks wait for it',
    definition: (slow) =>
      ingest(slow ? '460ms' : '400ms', { 'constant-clients': { clients: 20 } }, { refresh: 'wait_for' }),
    wayMs: () => 0,
    changed: 'index.settings.refresh_interval 400ms → 460ms',
  },
  {
    name: 'network delay',
    definition: () => ingest('5s', { 'constant-rate': { rate: 60 } }, {}),
    wayMs: (slow) => (slow ? 230 : 200),
    changed: 'Nothing that is recorded changed in the same run',
  },
];

interface Outcome {
  /** Number of slow runs until the regression was reported; null if it was not reported. */
  reported: number | null;
  recovered: number | null;
  falseAlarms: number;
  sentence: string;
  cause: string;
  notices: WatchNotice[];
  failures: string[];
}

/** Executes all runs of one experiment. */
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
    ...{ reported: null, recovered: null, falseAlarms: 0, sentence: '', cause: '' },
    ...{ notices, failures },
  };
  try {
    await reportOf(folder, proxy.url, {
      ...definition(false),
      name: `${name}, warm-up`,
      measure: { warmup: '0s', duration: '30s' },
      trials: 1,
    });
    for (let at = 0; at < GOOD + BAD + UNDONE; at += 1) {
      slow = at >= GOOD && at < GOOD + BAD;
      const { run } = await reportOf(folder, proxy.url, { ...definition(slow), name });
      const files = ['--junit', junit, '--markdown', markdown, '--webhook', webhook];
      const { code, stdout, output } = await command(folder, [
        'watch',
        name,
        '--results',
        elasticsearch,
        ...files,
      ]);
      process.stdout.write(`${name}, run ${at} (${run.id}): ${String(code)} ${stdout.split('\n')[0]}\n`);
      if (code !== 0 && code !== 1 && code !== 4) throw new Error(output);
      if (code === 1 && (at < GOOD || (!slow && found.reported === null))) found.falseAlarms += 1;
      else if (code === 1 && found.reported === null) {
        found.reported = at - GOOD + 1;
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
      } else if (code === 0 && at >= GOOD + BAD && found.recovered === null)
        found.recovered = at - GOOD - BAD + 1;
    }
  } finally {
    proxy.stop();
    hook.close();
    hook.closeAllConnections();
  }
  const history = await command(folder, ['history', name, '--results', elasticsearch]);
  process.stdout.write(`${history.stdout}\n`);
  if (found.falseAlarms > 0) failures.push(`${name}: ${found.falseAlarms} false alarms`);
  for (const [what, runs] of [
    ['the regression', found.reported],
    ['the recovery', found.recovered],
  ] as const)
    if (runs === null || runs > MOST_HISTORY_RUNS)
      failures.push(
        `${name}: ${what} was ${runs === null ? 'never reported' : `reported after ${runs} runs`}, at most ${MOST_HISTORY_RUNS} are allowed`,
      );
  return found;
}

export async function benchHistoryWatch(): Promise<{
  tables: { title: string; rows: Row[] }[];
  failures: string[];
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-watch-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  try {
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const scenario of SCENARIOS) {
      const found = await watched(scenario, folder, cluster.nodes[0]!.url);
      failures.push(...found.failures);
      rows.push({
        'slower by 15%': scenario.name,
        'reported after runs': found.reported ?? '–',
        'recovery after runs': found.recovered ?? '–',
        'false alarms': found.falseAlarms,
        notices: found.notices.length,
      });
    }
    const title = `${GOOD} normal runs, ${BAD} slower ones, ${UNDONE} normal ones`;
    return { tables: [{ title, rows }], failures };
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
