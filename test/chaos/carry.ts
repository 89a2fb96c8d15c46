/** Carries one run of the built `dyno` command through one scenario, and looks at what became of it and what it left. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { RunDocument } from '../../common/experiment/run';
import { endedOf } from '../../common/measurement/counts';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { FaultProxy, type HttpFault } from './fault-proxy';
import type { Moment, Scenario } from './scenario';

const COMMAND = path.join(process.cwd(), 'build/dyno.js');
/** A run of the definition below without a fault takes some 10 s. */
const LONGEST_MS = 150_000;
/** Of the disk on which a scenario lets nothing more fit. */
const DISK_MB = 24;

const DEFINITION = {
  version: 1,
  name: 'chaos',
  // The load too goes through the proxy, not to the nodes behind it.
  spread: 'given-hosts',
  'request-timeout': '5s',
  patience: '10s',
  index: { settings: { number_of_replicas: 0 } },
  cluster: { settings: { 'search.max_buckets': 70_000 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 50 } },
      executor: { 'constant-rate': { rate: 20, 'max-clients': 20 } },
    },
  ],
  factors: { 'index.settings.number_of_shards': [1, 2] },
  measure: { warmup: '0s', duration: '2s', drain: '5s' },
  trials: 2,
};
/** Of each moment there is one, and the run takes a third of the time. */
const SHORT = {
  ...DEFINITION,
  factors: {},
  measure: { warmup: '0s', duration: '1s', drain: '5s' },
  trials: 1,
};

/** The first request of the target that belongs to a moment. */
const BEGINS: Readonly<Record<Exclude<Moment, 'start'>, RegExp>> = {
  preflight: /^/,
  prepare: /^PUT \/dyno-trial-/,
  load: /^POST .*_bulk/,
  check: /^(GET|POST) \/dyno-trial-[^ ]*\/(_refresh|_count)/,
  remove: /^DELETE \/dyno-trial-/,
};

export interface Outcome {
  scenario: string;
  seed: number;
  moment: Moment;
  /** Whether the fault met anything: one that came too late is no fault. */
  hit: boolean;
  /** What became of the run, in one word. */
  end: string;
  seconds: number;
  /** What should not be; empty where all is well. */
  wrong: string[];
  /** For whoever looks into it. */
  output: string;
}

const CLOCK = 'clock.cjs';
const JUMP_MS = 3600_000;

/** Loaded before the command, by its threads too: the time of day is as far off as a file says, the other clocks go on. */
const writeClock = (folder: string): void =>
  writeFileSync(
    path.join(folder, CLOCK),
    `const { readFileSync } = require('node:fs');
let offset = 0;
setInterval(() => {
  try {
    offset = Number(readFileSync(${JSON.stringify(path.join(folder, 'offset'))}, 'utf8'));
  } catch {}
}, 50).unref();
const Truth = Date;
const now = () => Truth.now() + offset;
globalThis.Date = class extends Truth {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now() {
    return now();
  }
};
`,
  );

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One start of `dyno` with what it says; its output can be closed as by a reader that has gone. */
class Command {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  said = '';

  constructor(folder: string, ...args: string[]) {
    const own = existsSync(path.join(folder, CLOCK)) ? ['--require', path.join(folder, CLOCK)] : [];
    this.child = spawn(process.execPath, ['--enable-source-maps', ...own, COMMAND, ...args], {
      cwd: folder,
      env: {
        ...process.env,
        DYNO_DATA: path.join(folder, 'data'),
        TMPDIR: path.join(folder, 'tmp'),
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
      stream.on('error', () => undefined);
    }
    this.ended = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => {
        // What it said last is read before it is looked at.
        setTimeout(() => resolve({ code, signal }), 50);
      }),
    );
  }
}

const idSaid = ({ said }: Command): string | undefined => /\brun (\d{8}-\d{6}-[0-9a-f]{4})\b/.exec(said)?.[1];

async function ask<T>(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  body?: object,
): Promise<T> {
  const answer = await request(url, {
    method,
    reset: true,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  });
  return (await answer.body.json()) as T;
}

/** What a run says that it could not do, and leaves to the next start. */
const LEFT_FOR_NEXT = /wait in the spool|wait on disk|could not be removed|could not be put back/;

/** Runs of earlier scenarios: one whose clock was an hour ahead begins, by its own word, after those that follow. */
const looked = new Set<string>();

/** The run that began last, if it began since then, ms since the epoch. */
async function newestSince(url: string, began: number): Promise<RunDocument | undefined> {
  await ask(`${url}/dyno-runs-*/_refresh`, 'POST');
  const { hits } = await ask<{ hits?: { hits: { _source: RunDocument }[] } }>(
    `${url}/dyno-runs-*/_search?ignore_unavailable=true`,
    'POST',
    {
      query: {
        bool: {
          filter: { range: { '@timestamp': { gte: began } } },
          must_not: { terms: { 'run.id': [...looked] } },
        },
      },
      sort: [{ '@timestamp': 'desc' }],
      size: 1,
    },
  );
  return hits?.hits[0]?._source;
}

async function documents<T>(url: string, kind: string, run: string): Promise<T[]> {
  await ask(`${url}/dyno-${kind}-*/_refresh`, 'POST');
  const { hits } = await ask<{ hits?: { hits: { _source: T }[] } }>(
    `${url}/dyno-${kind}-*/_search?ignore_unavailable=true`,
    'POST',
    { query: { term: { 'run.id': run } }, size: 5000 },
  );
  return (hits?.hits ?? []).map(({ _source }) => _source);
}

/** Takes back what a run left that went wrong, so that the next one is judged by what it does itself. */
async function sweep(elasticsearch: string): Promise<void> {
  const indices = await ask<{ index: string }[]>(`${elasticsearch}/_cat/indices/dyno*?format=json&h=index`);
  for (const { index } of indices) await ask(`${elasticsearch}/${index}`, 'DELETE');
  const none = { persistent: { '*': null }, transient: { '*': null } };
  await ask(`${elasticsearch}/_cluster/settings`, 'PUT', none);
}

/** Processes whose environment names the folder: what the command started, and itself. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DYNO_DATA=${folder}/`);
      } catch {
        return false;
      }
    });
}

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

/** Scenarios for which the data folder is a small disk of its own. */
const ON_SMALL_DISK = new Set<Scenario['does']>(['fill-disk', 'lock-disk']);

/** Why this machine cannot play a scenario; undefined where it can. */
export const impossible = ({ does }: Scenario): string | undefined =>
  does !== undefined && (ON_SMALL_DISK.has(does) || does === 'starve') && !isRoot
    ? 'needs root on Linux, to mount a small disk or to limit the memory of a process'
    : undefined;

/** `elasticsearch`: URL of a cluster that nothing else uses meanwhile. `isShort`: one trial instead of four. */
export async function carryOut(
  scenario: Scenario,
  elasticsearch: string,
  seed: number,
  isShort = false,
): Promise<Outcome> {
  const random = createRandom(deriveSeed(seed, scenario.name));
  const moment = scenario.moments[random.below(scenario.moments.length)]!;
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-chaos-'));
  const data = path.join(folder, 'data');
  mkdirSync(path.join(folder, 'tmp'));
  mkdirSync(data);
  const isSmall = ON_SMALL_DISK.has(scenario.does);
  if (isSmall) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', data]);
  const target = await FaultProxy.start(elasticsearch, deriveSeed(seed, 'target'));
  const results = await FaultProxy.start(elasticsearch, deriveSeed(seed, 'results'));
  const settingsBefore = JSON.stringify(await ask(`${elasticsearch}/_cluster/settings`));
  const wrong: string[] = [];
  const began = Date.now();
  if (scenario.does === 'jump-clock') writeClock(folder);
  writeFileSync(path.join(folder, 'chaos.json'), JSON.stringify(isShort ? SHORT : DEFINITION));
  const args = ['chaos.json', '--elasticsearch', target.url, '--results', results.url, '--no-collector'];
  const command = new Command(folder, 'run', ...args);
  try {
    const fault = inject(scenario, moment, random, { command, target, results, folder, data, isShort });
    const timer = setTimeout(() => {
      wrong.push(`did not end within ${LONGEST_MS / 1000} s`);
      command.child.kill('SIGKILL');
    }, LONGEST_MS);
    const ended = await command.ended;
    clearTimeout(timer);
    await fault.over;
    const seconds = (Date.now() - began) / 1000;
    // It says its id, unless nobody listens; then it is the newest that is stored before another begins.
    const said = idSaid(command);
    const id = said ?? (await newestSince(elasticsearch, began))?.run.id;
    if (id !== undefined) looked.add(id);

    let later = '';
    if (scenario['cleaned-by-next'] || LEFT_FOR_NEXT.test(command.said)) {
      const next = new Command(folder, 'run', ...args);
      const { code } = await next.ended;
      later = `\n--- the next start\n${next.said}`;
      if (code !== 0) wrong.push(`the next start ended with ${code}`);
      const another = idSaid(next);
      if (another !== undefined) looked.add(another);
    }
    const last = id === undefined ? undefined : (await documents<RunDocument>(elasticsearch, 'runs', id))[0];
    const end = endOf(ended, last, command.said);
    const hit = fault.hit();
    if (hit) {
      // Ended by a signal before it had begun anything: nothing is left, so nothing is to be said.
      if (end !== 'not begun' && !scenario.ends.includes(end as Scenario['ends'][number]))
        wrong.push(`ended as ${end}, allowed: ${scenario.ends.join(', ')}`);
      const words = `${last?.run.reason ?? ''}\n${command.said}`;
      const isExplained =
        ['completed', 'killed', 'not begun'].includes(end) || scenario.says?.test(words) !== false;
      if (!isExplained) wrong.push(`says nothing like ${String(scenario.says)}: ${last?.run.reason ?? ''}`);
    }
    if (last !== undefined) wrong.push(...(await untruths(elasticsearch, last)));
    else if (end === 'completed') wrong.push('completed, and its results hold no run');
    if (end !== 'killed') wrong.push(...unreadable(command.said));
    wrong.push(...(await leftovers(elasticsearch, folder, settingsBefore)));
    if (wrong.length > 0) await sweep(elasticsearch);
    return {
      ...{ scenario: scenario.name, seed, moment, hit, end, seconds, wrong },
      output: command.said + later,
    };
  } finally {
    command.child.kill('SIGCONT');
    command.child.kill('SIGKILL');
    await command.ended;
    await Promise.all([target.stop(), results.stop()]);
    if (isSmall) execFileSync('umount', ['-l', data]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Places {
  command: Command;
  target: FaultProxy;
  results: FaultProxy;
  folder: string;
  data: string;
  isShort: boolean;
}

/** Waits for the moment, does the harm, and undoes it when its time has passed. */
function inject(
  scenario: Scenario,
  moment: Moment,
  random: Random,
  places: Places,
): { over: Promise<void>; hit(): boolean } {
  const { command, target, results } = places;
  const isOnce = places.isShort || moment === 'start' || moment === 'preflight';
  const nth = 1 + random.below(isOnce ? 1 : 4);
  const delayMs = random.below(moment === 'load' ? (places.isShort ? 600 : 1500) : 300);
  const [from, to] = scenario.seconds;
  const lastsMs = 1000 * (from + random.unit() * (to - from));
  const proxy = scenario.target ? target : scenario.results ? results : undefined;
  const kind = scenario.target ?? scenario.results;
  const http: HttpFault | undefined = kind && {
    kind,
    ...(scenario.path ? { path: scenario.path } : {}),
    ...(scenario.share ? { share: scenario.share } : {}),
    ...(scenario.status ? { status: scenario.status } : {}),
    ...(scenario['delay-ms'] ? { delayMs: scenario['delay-ms'] } : {}),
  };
  let done = false;
  const hasEnded = (): boolean => command.child.exitCode !== null || command.child.signalCode !== null;
  const harm = async (): Promise<void> => {
    await Promise.race([occurrence(target, moment, nth), command.ended]);
    await sleep(delayMs);
    if (hasEnded()) return;
    done = true;
    if (http) proxy!.set(http);
    else if (scenario.does === 'close-pipes') {
      command.child.stdout!.destroy();
      command.child.stderr!.destroy();
    } else if (scenario.does === 'fill-disk') fill(places.data);
    else if (scenario.does === 'lock-disk') remount(places.data, 'ro');
    else if (scenario.does === 'starve') starve(command.child.pid!);
    else if (scenario.does === 'jump-clock') {
      const offset = random.below(2) === 0 ? JUMP_MS : -JUMP_MS;
      writeFileSync(path.join(places.folder, 'offset'), String(offset));
    } else command.child.kill(scenario.signal!);
    if (lastsMs > 0) await sleep(lastsMs);
    if (http) proxy!.set(undefined);
    if (scenario.signal === 'SIGSTOP') command.child.kill('SIGCONT');
    if (scenario.does === 'fill-disk') rmSync(filler(places.data), { force: true });
    if (scenario.does === 'lock-disk') remount(places.data, 'rw');
  };
  return { over: harm(), hit: () => done && (proxy === undefined || proxy.hits > 0) };
}

const filler = (data: string): string => path.join(data, 'filler');

/** Takes what is left of the small disk. */
function fill(data: string): void {
  try {
    writeFileSync(filler(data), Buffer.alloc(DISK_MB * 1024 * 1024));
  } catch {
    // It is full now, as it should be.
  }
}

/** A disk that is written to at that moment cannot be locked; the next try finds it idle. */
function remount(data: string, mode: 'ro' | 'rw'): void {
  for (let tries = 1; ; tries += 1) {
    try {
      execFileSync('mount', ['-o', `remount,${mode}`, data], { stdio: 'ignore' });
      return;
    } catch (error) {
      if (tries === 200) throw error;
    }
  }
}

/** What it has it may keep, and a little more. */
const SPARE_BYTES = 24 * 1024 * 1024;

function starve(pid: number): void {
  const used = /VmSize:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  execFileSync('prlimit', [`--pid=${pid}`, `--as=${Number(used) * 1024 + SPARE_BYTES}`]);
}

/** The nth time that something of a moment begins: a trial has one of each, and many bulks. */
function occurrence(target: FaultProxy, moment: Moment, nth: number): Promise<void> {
  if (moment === 'start') return Promise.resolve();
  return new Promise((resolve) => {
    let seen = 0;
    let isWithin = false;
    const stop = target.watch((line) => {
      const begins = BEGINS[moment].test(line);
      if (begins && !isWithin) seen += 1;
      isWithin = moment === 'load' ? !/^DELETE/.test(line) && (isWithin || begins) : begins;
      if (seen < nth) return;
      stop();
      resolve();
    });
  });
}

function endOf({ code, signal }: Ended, run: RunDocument | undefined, said: string): string {
  if (run === undefined) return signal === null ? (code === 0 ? 'completed' : 'refused') : 'not begun';
  const failed = (run.progress as { failed?: number }).failed ?? 0;
  if (run.run.state === 'completed') return failed > 0 ? 'completed-with-failures' : 'completed';
  // Node.js ends itself by these when it gets no memory.
  if (signal !== null && ['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGSEGV'].includes(signal)) return 'killed';
  if (/refused|already/.test(said) && run.run.state === 'queued') return 'refused';
  return run.run.state;
}

/** What the results say that cannot be: of the run's state, its trials, and the sums of its samples. */
async function untruths(elasticsearch: string, run: RunDocument): Promise<string[]> {
  const found: string[] = [];
  const { id, state, reason } = run.run;
  if (['running', 'queued'].includes(state)) found.push(`stored as ${state} after its end`);
  if (state === 'failed' && reason === '') found.push('failed without a reason');
  const trials = await documents<TrialDocument>(elasticsearch, 'trials', id);
  const completed = trials.filter(({ trial }) => trial.state === 'completed');
  if (completed.length !== run.progress.completed)
    found.push(`says ${run.progress.completed} completed trials, and ${completed.length} are stored`);
  if (trials.some(({ trial }) => trial.state === 'running')) found.push('a trial is stored as running');
  const samples = await documents<SampleDocument>(elasticsearch, 'samples', id);
  for (const { phase, counts } of samples) {
    if (counts.attempted !== endedOf(counts))
      found.push(`outcomes of a second of ${phase} do not add up: ${JSON.stringify(counts)}`);
  }
  for (const { trial, tasks } of completed) {
    for (const { task, total } of tasks) {
      const own = samples.filter((one) => one.trial.id === trial.id && one.task === task);
      const sum = own.reduce((all, { counts }) => all + counts.accepted, 0);
      if (sum !== total.accepted)
        found.push(`samples of ${trial.id} hold ${sum} accepted documents, its trial ${total.accepted}`);
    }
  }
  return found;
}

/** What nobody should have to read. */
const unreadable = (said: string): string[] =>
  [/^\s+at .*\(.*:\d+:\d+\)/m, /\[object Object\]/, /UnhandledPromise/i, /\bundefined\b/]
    .filter((pattern) => pattern.test(said))
    .map((pattern) => `its output has ${String(pattern)}`);

/** Of the run, in the target and on this machine. */
async function leftovers(elasticsearch: string, folder: string, settingsBefore: string): Promise<string[]> {
  const found: string[] = [];
  const indices = await ask<{ index: string }[]>(
    `${elasticsearch}/_cat/indices?format=json&h=index&expand_wildcards=all`,
  );
  const kept = /^dyno-(runs|trials|samples|markers|metrics|claims|experiments|targets)/;
  const left = indices.map(({ index }) => index).filter((index) => /dyno/.test(index) && !kept.test(index));
  if (left.length > 0) found.push(`left indices: ${left.join(', ')}`);
  await ask(`${elasticsearch}/dyno-claims*/_refresh`, 'POST');
  const leases = await ask<{ hits?: { hits: { _source: unknown }[] } }>(
    `${elasticsearch}/dyno-claims*/_search?ignore_unavailable=true`,
    'POST',
    { size: 10 },
  );
  const held = leases.hits?.hits.length ?? 0;
  if (held > 0) found.push(`left ${held} leases: ${JSON.stringify(leases.hits!.hits[0]!._source)}`);
  const settings = JSON.stringify(await ask(`${elasticsearch}/_cluster/settings`));
  if (settings !== settingsBefore) found.push(`left cluster settings: ${settings}`);
  const pipelines = Object.keys(await ask<object>(`${elasticsearch}/_ingest/pipeline`));
  const own = pipelines.filter((name) => name.startsWith('dyno'));
  if (own.length > 0) found.push(`left pipelines: ${own.join(', ')}`);
  const processes = processesOf(folder);
  if (processes.length > 0) found.push(`left processes: ${processes.join(', ')}`);
  const temporary = readdirSync(path.join(folder, 'tmp'));
  if (temporary.length > 0) found.push(`left temporary files: ${temporary.join(', ')}`);
  return found;
}
