/**
 * `npm run soak`: runs `dyno start` for hours, with a new run every minute. Restarts the server every ten minutes at any point of a run,
 * with SIGTERM and SIGKILL in turn.
 *
 * Every minute, reads the server's memory and its numbers of open files, threads and data files. Also counts the leases of runs and
 * targets, and the indices of trials. Exits with 1 if any of these grew too much, or if a run did not end properly and nothing explains
 * why.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import type { RunDocument } from '../../common/experiment/run';
import { createRandom } from '../../common/random';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';

const COMMAND = path.join(process.cwd(), 'build/dyno.js');
const ENDED = ['completed', 'failed', 'cancelled', 'interrupted'];
/**
 * Maximum growth of the server's memory during the test, in MB. Node.js collects garbage late. Without a leak, the memory of two server
 * processes can differ by this much.
 */
const MOST_GROWTH_MB = 50;
/** Maximum growth of the number of open files during the test. A few connections may be open at any time. */
const MOST_GROWTH_FILES = 10;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    /** Minutes between two restarts. */
    restart: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const minutes = Number(values.minutes);
const restartMinutes = Number(values.restart);
const seed = Number(values.seed);
if (!(minutes > 0) || !(restartMinutes > 0) || !Number.isInteger(seed))
  throw new Error('usage: npm run soak -- [--minutes 120] [--restart 10] [--seed 1]');

const definition = (name: string, more: string): string => `version: 1
name: ${name}
index: { settings: { number_of_replicas: 0 } }
cluster: { settings: { search.max_buckets: 70_000 } }
${more}
`;
const INGEST = `  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 100 } }
    executor: { constant-rate: { rate: 20, max-clients: 10 } }`;
const SEARCH = `  - name: find
    search: { requests: [{ name: all, body: { size: 5 } }] }
    executor: { constant-clients: { clients: 1, think-time: 50ms } }`;
/**
 * Experiments that are started in turn, one every minute. Runs of the third are cancelled, and runs of the fourth are deleted after their
 * end.
 */
const EXPERIMENTS = [
  definition(
    'shards',
    `tasks:\n${INGEST}\nfactors: { index.settings.number_of_shards: [1, 2] }\nmeasure: { warmup: 0s, duration: 2s }\ntrials: 1`,
  ),
  definition('queries', `tasks:\n${INGEST}\n${SEARCH}\nmeasure: { warmup: 1s, duration: 4s }\ntrials: 1`),
  definition('cancelled', `tasks:\n${INGEST}\nmeasure: { warmup: 1s, duration: 60s }\ntrials: 1`),
  definition('deleted', `tasks:\n${INGEST}\nmeasure: { warmup: 0s, duration: 3s }\ntrials: 1`),
];
const CANCELLED = 2;
const DELETED = 3;

interface Server {
  child: ChildProcess;
  url: string;
  ended: Promise<void>;
  /** Start of the server, in s since the epoch. */
  began: number;
}

interface Look {
  life: number;
  /** Time since the start of this server, in minutes. */
  age: number;
  rssMb: number;
  files: number;
  threads: number;
  dataFiles: number;
  leases: number;
  trialIndices: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-soak-'));
const random = createRandom(seed);
console.log(`seed ${seed}: ${minutes} minutes, a run every minute, a restart every ${restartMinutes}`);
const cluster = await startElasticsearch({
  ephemeral: true,
  heap: '1g',
  settings: { 'action.auto_create_index': true },
});
let errors = '';

async function startServer(): Promise<Server> {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      COMMAND,
      'start',
      '--port',
      '0',
      '--elasticsearch',
      cluster.url,
      '--no-collector',
    ],
    {
      cwd: folder,
      env: { ...process.env, DYNO_DATA: path.join(folder, 'data'), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      const found = /Dyno is at (http:\/\/\S+)/.exec(output);
      if (found) resolve(found[1]!);
    });
    void ended.then(() => reject(new Error(`the server did not start: ${output}${errors.slice(-2000)}`)));
  });
  return { child, url, ended, began: Date.now() / 1000 };
}

async function call<T>(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<T> {
  const answer = await request(url, {
    method,
    reset: true,
    headersTimeout: 20_000,
    headers: { 'x-dyno-request': '1', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 400)
    throw new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const filesUnder = (place: string): number =>
  readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

async function countOf(index: string): Promise<number> {
  const answer = await request(`${cluster.url}/${index}/_count?ignore_unavailable=true`, { reset: true });
  return ((await answer.body.json()) as { count?: number }).count ?? 0;
}

async function look(server: Server, life: number): Promise<Look> {
  const { pid } = server.child;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const figure = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]);
  const indices = await call<{ index: string }[]>(
    `${cluster.url}/_cat/indices?format=json&h=index&expand_wildcards=all`,
    'GET',
  );
  return {
    life,
    age: (Date.now() / 1000 - server.began) / 60,
    rssMb: figure('VmRSS') / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: figure('Threads'),
    dataFiles: filesUnder(path.join(folder, 'data')),
    leases: await countOf('dyno-claims*'),
    trialIndices: indices.filter(({ index }) => index.startsWith('dyno-trial-')).length,
  };
}

async function stored(run: string): Promise<RunDocument['run'] | undefined> {
  const { hits } = await call<{ hits: { hits: { _source: RunDocument }[] } }>(
    `${cluster.url}/dyno-runs-*/_search?ignore_unavailable=true`,
    'POST',
    { query: { term: { 'run.id': run } } },
  );
  return hits.hits[0]?._source.run;
}

const started: { run: string; kind: number; isDeleted: boolean }[] = [];
const looks: Look[] = [];
const troubles: string[] = [];
const trouble = (text: string): void => {
  troubles.push(text);
  console.log(`  ${text}`);
};

/** Executes one minute of the test: starts a run, deletes an earlier run if it is due, and measures the server. */
async function minute(
  server: Server,
  experiments: readonly string[],
  at: number,
  life: number,
): Promise<void> {
  const kind = at % EXPERIMENTS.length;
  const { run } = await call<{ run: string }>(
    `${server.url}/api/dyno/experiments/${experiments[kind]}/run`,
    'POST',
  );
  const own = { run, kind, isDeleted: false };
  started.push(own);
  if (kind === CANCELLED) {
    await sleep(1000 * (2 + random.below(15)));
    await call(`${server.url}/api/dyno/runs/${run}/cancel`, 'POST');
  }
  const gone = started.find((one) => one.kind === DELETED && one !== own && !one.isDeleted);
  if (gone !== undefined && ENDED.includes((await stored(gone.run))?.state ?? '')) {
    await call(`${server.url}/api/dyno/runs/${gone.run}`, 'DELETE');
    gone.isDeleted = true;
  }
  await sleep(1000 * (20 + random.below(15)));
  const seen = await look(server, life);
  looks.push(seen);
  console.log(
    [
      `minute ${at + 1}`,
      `life ${life}`,
      `${seen.rssMb.toFixed(0)} MB`,
      `${seen.files} fds`,
      `${seen.threads} threads`,
      `${seen.dataFiles} files`,
      `${seen.leases} leases`,
      `${seen.trialIndices} trial indices`,
      `${started.length} runs`,
    ].join(' · '),
  );
}

let server = await startServer();
try {
  const experiments: string[] = [];
  for (const text of EXPERIMENTS) {
    const { id } = await call<{ id: string }>(`${server.url}/api/dyno/experiments`, 'POST', { text });
    experiments.push(id);
  }
  let life = 1;
  for (let at = 0; at < minutes; at += 1) {
    const next = Date.now() + 60_000;
    try {
      await minute(server, experiments, at, life);
    } catch (error) {
      trouble(`minute ${at + 1}: ${String(error)}`);
    }
    if ((at + 1) % restartMinutes === 0 && at + 1 < minutes) {
      const signal = life % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
      // Starts a run so that the restart interrupts something.
      await call(`${server.url}/api/dyno/experiments/${experiments[0]}/run`, 'POST').then(
        (answer) => started.push({ run: (answer as { run: string }).run, kind: 0, isDeleted: false }),
        (error: unknown) => trouble(`before the restart: ${String(error)}`),
      );
      await sleep(random.below(15_000));
      server.child.kill(signal);
      await server.ended;
      console.log(`restart after ${signal}`);
      server = await startServer();
      life += 1;
    }
    await sleep(Math.max(0, next - Date.now()));
  }
  // Waits for the runs that are running or queued.
  const deadline = Date.now() + 600_000;
  const open = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const { run, isDeleted } of started) {
      const state = isDeleted ? 'completed' : (await stored(run))?.state;
      if (state === undefined || !ENDED.includes(state)) found.push(`${run}: ${state ?? 'not stored'}`);
    }
    return found;
  };
  while ((await open()).length > 0 && Date.now() < deadline) await sleep(5000);
  for (const one of await open()) trouble(`not accounted for: ${one}`);
  const states = new Map<string, number>();
  for (const { run, kind, isDeleted } of started) {
    const found = await stored(run);
    if (isDeleted && found !== undefined) trouble(`deleted, but still stored: ${run}`);
    if (found?.state === 'failed') trouble(`failed: ${run}: ${found.reason}`);
    if (kind === CANCELLED && found?.state === 'completed') trouble(`not cancelled: ${run}`);
    const word = isDeleted ? 'deleted' : (found?.state ?? 'not stored');
    states.set(word, (states.get(word) ?? 0) + 1);
  }
  await sleep(3000);
  const last = await look(server, life);
  looks.push(last);
  if (last.leases > 0) trouble(`${last.leases} leases remain`);
  if (last.trialIndices > 0) trouble(`${last.trialIndices} trial indices remain`);
  console.log(
    `${started.length} runs: ${[...states].map(([state, count]) => `${count} ${state}`).join(', ')}`,
  );
  report();
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
if (/UnhandledPromise|Uncaught|^\s+at /m.test(errors)) trouble(`on standard error: ${errors.slice(-3000)}`);
console.log(
  troubles.length === 0 ? 'nothing grew, every run is accounted for' : `${troubles.length} problems`,
);
process.exitCode = troubles.length > 0 ? 1 : 0;

/**
 * Prints the highest memory and the highest numbers of files and threads of each server process. Compares the last process with the first.
 */
function report(): void {
  const lives = [...new Set(looks.map((one) => one.life))];
  const highest = (life: number, of: (one: Look) => number): number =>
    Math.max(...looks.filter((one) => one.life === life).map(of));
  for (const life of lives)
    console.log(
      `life ${life}: at most ${highest(life, (one) => one.rssMb).toFixed(0)} MB, ${highest(life, (one) => one.files)} fds, ` +
        `${highest(life, (one) => one.threads)} threads, ${highest(life, (one) => one.dataFiles)} files in the data folder, ` +
        `${highest(life, (one) => one.leases)} leases`,
    );
  // Within a process, compares the second half with the first. Excludes the first two minutes, in which code is compiled.
  for (const [name, most, of] of [
    ['MB', MOST_GROWTH_MB, (one: Look) => one.rssMb],
    ['fds', MOST_GROWTH_FILES, (one: Look) => one.files],
    ['threads', MOST_GROWTH_FILES, (one: Look) => one.threads],
  ] as const) {
    const [first, end] = [highest(lives[0]!, of), highest(lives.at(-1)!, of)];
    if (end - first > most) trouble(`grew from the first life to the last: ${first} to ${end} ${name}`);
    for (const life of lives) {
      const own = looks.filter((one) => one.life === life && one.age > 2);
      const half = Math.floor(own.length / 2);
      if (half < 2) continue;
      const mean = (part: Look[]): number => part.reduce((sum, one) => sum + of(one), 0) / part.length;
      const [early, late] = [mean(own.slice(0, half)), mean(own.slice(half))];
      if (late - early > most) trouble(`life ${life}: ${early.toFixed(0)} to ${late.toFixed(0)} ${name}`);
    }
  }
  const files = [highest(lives[0]!, (one) => one.dataFiles), looks.at(-1)!.dataFiles] as const;
  if (files[1] - files[0] > MOST_GROWTH_FILES)
    trouble(`files of the data folder: ${files[0]} to ${files[1]}`);
}
