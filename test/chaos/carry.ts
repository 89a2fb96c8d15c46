/** Carries one run of the built `dyno` command through one scenario, and looks at what became of it and what it left. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { RunDocument } from '../../common/experiment/run';
import { ask, documents, endOf, LEFT_FOR_NEXT, leftovers, sweep, unreadable, untruths } from './aftermath';
import { Command, idSaid, writeClock } from './command';
import { FaultProxy, type HttpFault } from './fault-proxy';
import { occurrence } from './moments';
import type { Moment, Scenario } from './scenario';

/** A run of the definition below without a fault takes some 10 s. */
const LONGEST_MS = 150_000;
/** How far a clock jumps. */
const JUMP_MS = 3600_000;
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

export interface Outcome {
  scenario: string;
  seed: number;
  moment: Moment;
  /** Whether the fault met anything: one that came too late is no fault. */
  hit: boolean;
  /** What became of the run, in one word. */
  end: string;
  seconds: number;
  /** Of a run in seats: how long its load went on after the fault, seen from the target, ms. */
  wentOnMs?: number;
  /** What should not be; empty where all is well. */
  wrong: string[];
  /** For whoever looks into it. */
  output: string;
}

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
  const command = new Command(folder, ['run', ...args]);
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
      const next = new Command(folder, ['run', ...args]);
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
