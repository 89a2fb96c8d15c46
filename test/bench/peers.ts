/**
 * Compares Dyno's load generator with wrk and k6 (if they are on the PATH) and with a simple script. All of them send in turn to the same
 * server, which discards everything. Also measures how fast Dyno creates documents without sending them.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { generatorNamed } from '../../common/generators/registry';
import { Batch } from '../../server/load/sources/batch';
import { GeneratorSource } from '../../server/load/sources/generator';
import { benchBaseline } from './baseline';
import { measureFigure, ROOT, writeCorpus } from './compare';
import type { Measured } from './figures';
import { geometricInterval } from './interval';
import { figure, type Row } from './table';

const SECONDS = 2;
/** Number of clients, the same as in `figures.ts`. */
const CLIENTS = 32;
const RATE = 10_000;

const run = promisify(execFile);

const isInstalled = (command: string, argument: string): boolean =>
  spawnSync(command, [argument]).error === undefined;

/** Measures the requests per second of wrk with one thread. */
async function wrk(url: string, folder: string): Promise<number> {
  const script = path.join(folder, 'search.lua');
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = '{"size":0}'\nwrk.headers["content-type"] = "application/json"\n`,
  );
  const { stdout } = await run('wrk', [
    ...['-t1', `-c${CLIENTS}`, `-d${SECONDS}s`, '-s', script],
    `${url}/bench/_search`,
  ]);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? NaN);
}

/** Runs k6. Returns its requests per second, and the 99th percentile of its response times in ms. */
async function k6(
  url: string,
  folder: string,
  executor: object,
): Promise<{ perSecond: number; p99: number }> {
  const file = path.join(folder, 'search.js');
  const summary = path.join(folder, 'summary.json');
  writeFileSync(
    file,
    `import http from 'k6/http';
export const options = { summaryTrendStats: ['p(99)'], scenarios: { searches: ${JSON.stringify(executor)} } };
const params = { headers: { 'content-type': 'application/json' } };
export default () => { http.post('${url}/bench/_search', '{"size":0}', params); };
export const handleSummary = ({ metrics }) => ({ '${summary}': JSON.stringify({
  perSecond: metrics.http_reqs.values.count / ${SECONDS}, p99: metrics.http_req_duration.values['p(99)'] }) });`,
  );
  await run('k6', ['run', '--quiet', '--no-usage-report', file]);
  return JSON.parse(readFileSync(summary, 'utf8')) as { perSecond: number; p99: number };
}

/** Returns how many documents per second one core can create and write into bulk bodies. */
function rendering(): number {
  const source = new GeneratorSource(generatorNamed('systembase').document(), { seed: 1 });
  const batch = new Batch();
  const begun = performance.now();
  let documents = 0;
  while (performance.now() - begun < 500) {
    batch.clear();
    source.fill(batch, { docs: 1000, bytes: Infinity }, Date.now());
    documents += 1000;
  }
  return (documents * 1000) / (performance.now() - begun);
}

/** One comparison: a value of Dyno's load generator, and the same value of another tool. */
interface Beside {
  what: string;
  other: string;
  less: boolean;
  own: number;
  theirs: number;
}

async function round(url: string, folder: string, corpus: string): Promise<Beside[]> {
  const own = (name: string): Promise<Measured> =>
    measureFigure(ROOT, name, { url, corpus, seconds: SECONDS });
  const beside = (what: string, other: string, mine: number, theirs: number, less = false): Beside => ({
    what,
    other,
    less,
    own: mine,
    theirs,
  });
  const documents = (await own('documents'))['/s']!;
  const all = [
    beside('documents/s', 'rendering alone', documents, rendering()),
    beside('documents/s', 'a plain undici script', documents, (await benchBaseline(url)).rate),
    beside('documents/s of a corpus', 'made ones', (await own('corpus'))['/s']!, documents),
  ];
  const searches = (await own('searches'))['/s']!;
  if (isInstalled('wrk', '-v')) all.push(beside('searches/s', 'wrk', searches, await wrk(url, folder)));
  if (!isInstalled('k6', 'version')) return all;
  const closed = { executor: 'constant-vus', vus: CLIENTS, duration: `${SECONDS}s` };
  all.push(beside('searches/s', 'k6', searches, (await k6(url, folder, closed)).perSecond));
  const paced = await own('pace');
  const open = {
    ...{ executor: 'constant-arrival-rate', rate: RATE, timeUnit: '1s', duration: `${SECONDS}s` },
    ...{ preAllocatedVUs: 200, maxVUs: 200 },
  };
  const { perSecond, p99 } = await k6(url, folder, open);
  all.push(
    beside(`sent/s of ${RATE}`, 'k6', paced['achieved/s']!, perSecond),
    beside('their p99, ms', 'k6', paced['service p99 ms']!, p99, true),
  );
  return all;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns a row for each value: its mean over the rounds, and how many times better Dyno's value is, with a 95% interval. */
export async function benchPeers(url: string, count = 5): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-peers-'));
  try {
    const corpus = writeCorpus(folder);
    const rounds: Beside[][] = [];
    for (let number = 1; number <= count; number += 1) rounds.push(await round(url, folder, corpus));
    return rounds[0]!.map(({ what, other, less }, place) => {
      const same = rounds.map((one) => one[place]!);
      const ratio = geometricInterval(same.map(({ own, theirs }) => (less ? theirs / own : own / theirs)));
      return {
        'against a sink': what,
        dyno: figure(mean(same.map(({ own }) => own))),
        beside: other,
        theirs: figure(mean(same.map(({ theirs }) => theirs))),
        // A round without a measurement has no ratio.
        ...(Number.isFinite(ratio.mean)
          ? { 'better by': figure(ratio.mean), low: figure(ratio.low), high: figure(ratio.high) }
          : { 'better by': '-', low: '-', high: '-' }),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
