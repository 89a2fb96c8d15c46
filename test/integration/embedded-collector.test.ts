/**
 * Tests the collector that starts together with the embedded Elasticsearch: it ships events from the start, and ends when the process that
 * started it ends.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../../server/process-life';
import { until } from '../support/until';
import { ask, START_TIMEOUT_MS } from './support/elasticsearch';

const ROOT = path.resolve(__dirname, '../..');
const COMMAND = path.join(ROOT, 'build', 'dyno.js');
const BINARY = path.join(ROOT, 'build', `dynobeat-linux-${process.arch === 'x64' ? 'amd64' : process.arch}`);
const TEMPLATE = path.join(ROOT, 'build', 'metrics-template.json');

/** Time limit in ms, for a first build without a cache on a busy machine. */
const BUILD_TIMEOUT_MS = 900_000;

let folder: string;
let command: ChildProcess | undefined;
let stderr: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-collector-'));
  if (existsSync(BINARY) && existsSync(TEMPLATE)) return;
  const built = spawnSync(process.execPath, ['scripts/build-collector.mjs'], { cwd: ROOT, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the collector could not be built:\n${built.stderr}`);
}, BUILD_TIMEOUT_MS);
afterEach(async () => {
  command?.kill('SIGKILL');
  await until('the end of the collector', () => collectors().length === 0, 30_000);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }));

/**
 * Returns the process ids of the collectors whose configuration is in the folder of this test. The shells that supervise them are left out.
 */
function collectors(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [executable, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return executable === BINARY && args.some((argument) => argument.startsWith(folder));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Starts `dyno elasticsearch` and resolves to its URL. */
async function start(): Promise<string> {
  let stdout = '';
  stderr = '';
  const started = spawn(process.execPath, [COMMAND, 'elasticsearch', '--heap', '512m', '--data', folder], {
    cwd: folder,
  });
  command = started;
  started.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  started.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const isStarted = (): boolean => {
    if (started.exitCode !== null) throw new Error(`ended: ${stderr}`);
    return stdout.includes('\n');
  };
  await until(() => `its URL: ${stderr}`, isStarted, START_TIMEOUT_MS);
  return stdout.trim();
}

interface MetricEvent {
  event: { dataset: string };
  elasticsearch?: { node: { name: string | string[] } };
  error?: { message: string };
}

/** Returns the stored events. Returns none while the index is being created, because its shards do not answer yet. */
async function events(url: string): Promise<MetricEvent[]> {
  await ask('POST', `${url}/dyno-metrics-*/_refresh`);
  const answer = await ask<{ hits?: { hits: { _source: MetricEvent }[] } }>(
    'POST',
    `${url}/dyno-metrics-*/_search?size=1000&ignore_unavailable=true`,
    { sort: ['@timestamp'] },
  );
  return answer.body.hits?.hits.map(({ _source }) => _source) ?? [];
}

const jvmOf = async (url: string): Promise<number> => {
  const { body } = await ask<{ nodes: Record<string, { process: { id: number } }> }>(
    'GET',
    `${url}/_nodes/process`,
  );
  return Object.values(body.nodes)[0]!.process.id;
};

const logOf = (): string => readFileSync(path.join(folder, 'collector', 'logs', 'dynobeat'), 'utf8');

test(
  'ships metrics of node and host to strictly mapped indices, and ends when its owner is killed with SIGKILL',
  async () => {
    const url = await start();
    let all: MetricEvent[] = [];
    await until(
      () => `three events of each kind: ${stderr}`,
      async () => {
        all = await events(url);
        return ['dyno.node', 'dyno.host'].every(
          (dataset) => all.filter(({ event }) => event.dataset === dataset).length >= 3,
        );
      },
    );
    expect(all.filter(({ error }) => error)).toEqual([]);
    const names = new Set(all.slice(2).flatMap(({ elasticsearch }) => elasticsearch?.node.name));
    expect([...names]).toEqual(['dyno-1']);
    const mappings = await ask<Record<string, { mappings: { dynamic?: string } }>>(
      'GET',
      `${url}/dyno-metrics-*/_mapping`,
    );
    expect(Object.keys(mappings.body)).toEqual([expect.stringMatching(/^dyno-metrics-\d{4}\.\d{2}$/)]);
    expect(Object.values(mappings.body).map((index) => index.mappings.dynamic)).toEqual(['strict']);
    expect(logOf()).not.toMatch(/Cannot index event|\tERROR\t/);

    // The process id of the collector is read only now: when the command prints its URL, the shell may not have started the collector yet.
    const [collector] = collectors();
    expect({ collector, stderr, log: collector === undefined ? logOf() : '' }).toEqual({
      collector: expect.any(Number) as number,
      stderr: expect.any(String) as string,
      log: '',
    });
    command!.kill('SIGKILL');
    await until('its end', () => !isAlive(collector!), 10_000);
  },
  START_TIMEOUT_MS,
);

test(
  'continues with the same data, and shuts down cleanly on SIGTERM',
  async () => {
    const url = await start();
    const before = (await events(url)).length;
    await until(
      () => `four more events: ${stderr}`,
      async () => (await events(url)).length >= before + 4,
    );
    const pids = [...collectors(), await jvmOf(url)];
    expect(pids).toHaveLength(2);
    const exit = new Promise((ended) => command!.once('exit', ended));
    command!.kill('SIGTERM');
    expect(await exit).toBe(0);
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(stderr).not.toMatch(/collector ended/);
    expect(logOf()).toMatch(/dynobeat stopped\.\n$/);
  },
  START_TIMEOUT_MS,
);
