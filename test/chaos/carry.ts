/**
 * Executes one run of the built `dyno` command while one fault is injected (a *scenario*). Then checks how the run ended and what it left
 * behind.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { RunDocument } from '../../common/experiment/run';
import {
  documents,
  endOf,
  LEFT_FOR_NEXT,
  leftovers,
  settingsByUrl,
  sweep,
  unreadable,
  untruths,
} from './aftermath';
import { ask } from './ask';
import type { Clusters } from './clusters';
import { Command, idPrinted, writeClock } from './command';
import { FaultProxy, type HttpFault } from './fault-proxy';
import { occurrence } from './moments';
import type { Moment, Scenario } from './scenario';

/** Maximum duration of a run, in ms. A run without a fault takes about 10 s. */
const LONGEST_MS = 150_000;
/** Time in ms by which a scenario moves the clock. */
const JUMP_MS = 3600_000;
/** Size of the small disk that a scenario fills, in MB. */
const DISK_MB = 24;

const DEFINITION = {
  version: 1,
  name: 'chaos',
  // `given-hosts` sends the load through the proxy too, not directly to the nodes.
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
/**
 * A short definition with one trial. A run of it reaches each point at which a fault can be injected exactly once. It takes a third of the
 * time of {@link DEFINITION}.
 */
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
  /** Whether the fault affected a process or a request. A fault after the end of the run affects nothing. */
  hit: boolean;
  /** How the run ended, in one word. */
  end: string;
  seconds: number;
  /** Time in ms for which the load continued after the fault, as the target saw it. Only for a run whose load other processes generate. */
  continuedMs?: number;
  /** A text for everything that the run did wrong. Empty if the run behaved as the scenario allows. */
  wrong: string[];
  /** Output of the processes. It helps to find out what went wrong. */
  output: string;
}

/**
 * Ids of the runs of earlier scenarios. The search for the newest run ignores these runs: some of them have start times in the future,
 * because a scenario moves the clock ahead.
 */
const looked = new Set<string>();

/** Returns the newest run that began after `began`, in ms since the epoch. */
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

/** Faults that need the data folder on a separate small disk. */
const ON_SMALL_DISK = new Set<Scenario['does']>(['fill-disk', 'lock-disk']);

/** Returns why this machine cannot execute a scenario (a run with a fault). Undefined if it can. */
export const impossible = ({ does }: Scenario): string | undefined =>
  does !== undefined && (ON_SMALL_DISK.has(does) || does === 'starve') && !isRoot
    ? 'needs root on Linux, to mount a small disk or to limit the memory of a process'
    : undefined;

/** Executes one run with one fault. `isShort`: with one trial instead of four. */
export async function carryOut(
  scenario: Scenario,
  clusters: Clusters,
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
  const target = await FaultProxy.start(clusters.target, deriveSeed(seed, 'target'));
  const results = await FaultProxy.start(clusters.results, deriveSeed(seed, 'results'));
  const settingsBefore = await settingsByUrl(clusters);
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
    // The command prints the run's id. If the output of the command was closed, the run is found as the newest stored run.
    const id = idPrinted(command) ?? (await newestSince(clusters.results, began))?.run.id;
    if (id !== undefined) looked.add(id);

    let later = '';
    if (scenario['cleaned-by-next'] || LEFT_FOR_NEXT.test(command.output)) {
      const next = new Command(folder, ['run', ...args]);
      const { code } = await next.ended;
      later = `\n--- the next start\n${next.output}`;
      if (code !== 0) wrong.push(`the next start ended with ${code}`);
      const another = idPrinted(next);
      if (another !== undefined) looked.add(another);
    }
    const last =
      id === undefined ? undefined : (await documents<RunDocument>(clusters.results, 'runs', id))[0];
    const end = endOf(ended, last, command.output);
    const hit = fault.hit();
    if (hit) {
      // If a signal ended the process before it began, there is nothing to check.
      if (end !== 'not begun' && !scenario.ends.includes(end as Scenario['ends'][number]))
        wrong.push(`ended as ${end}, allowed: ${scenario.ends.join(', ')}`);
      const words = `${last?.run.reason ?? ''}\n${command.output}`;
      const isExplained =
        ['completed', 'killed', 'not begun'].includes(end) || scenario.says?.test(words) !== false;
      if (!isExplained)
        wrong.push(`its output does not match ${String(scenario.says)}: ${last?.run.reason ?? ''}`);
    }
    if (last !== undefined) wrong.push(...(await untruths(clusters.results, last)));
    else if (end === 'completed') wrong.push('completed, but its results contain no run');
    if (end !== 'killed') wrong.push(...unreadable(command.output));
    wrong.push(...(await leftovers(settingsBefore, folder)));
    if (wrong.length > 0) await sweep(clusters);
    return {
      ...{ scenario: scenario.name, seed, moment, hit, end, seconds, wrong },
      output: command.output + later,
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

/**
 * Waits until the run reaches the point `moment`, such as its first bulk. Then injects the fault, and ends the fault after its duration.
 */
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

/** Fills the remaining space of the small disk. */
function fill(data: string): void {
  try {
    writeFileSync(filler(data), Buffer.alloc(DISK_MB * 1024 * 1024));
  } catch {
    // The error means that the disk is full. This is intended.
  }
}

/** Changes the mode of the small disk by mounting it again. This fails while something writes to the disk, and is then repeated. */
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

/** Memory in bytes that a process can still allocate after a scenario has limited its memory. */
const SPARE_BYTES = 24 * 1024 * 1024;

function starve(pid: number): void {
  const used = /VmSize:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  execFileSync('prlimit', [`--pid=${pid}`, `--as=${Number(used) * 1024 + SPARE_BYTES}`]);
}
