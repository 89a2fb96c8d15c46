/**
 * Executes one run with one fault, while two worker processes generate its load. Each worker has its own API key, by which a proxy in front
 * of the target recognises the worker that sent a request. Before an index is deleted, the proxy counts its documents.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunDocument } from '../../common/experiment/run';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
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
import type { Outcome } from './carry';
import type { Clusters } from './clusters';
import { Command, idPrinted } from './command';
import { FaultProxy } from './fault-proxy';
import { occurrence } from './moments';
import type { Moment, Scenario } from './scenario';

/** Time limit of a run, in ms. A run without a fault takes about 25 s, and a run with a suspended worker a minute more. */
const LONGEST_MS = 240_000;
const SEATS = 2;
/**
 * Pause without bulks, in ms, which shows that the next bulks belong to a new load. A shorter pause does not show this, because starting a
 * load takes longer.
 */
const PAUSE_MS = 2000;
/**
 * Maximum time in ms from a fault to the start of a load that was arranged before the fault. The processes that generate load agree on the
 * start time before the load begins.
 */
const AGREED_MS = 5000;
/**
 * Maximum time in ms from a fault until the load must have stopped. By then, the workers' permissions to send have expired, and all
 * processes know which process is missing.
 */
const LOAD_OVER_MS = 10_000;
/** Maximum delay, in ms, of requests that a process had handed to the operating system before it was stopped. */
const ON_THE_WAY_MS = 2000;
/** Time in ms within which workers must end after SIGTERM. After that, the test kills them. */
const LEAVE_MS = 20_000;

interface Length {
  ms: number;
  trials: number;
}
/** Length in ms and number of loads. These loads are short. Therefore, the next trial begins soon after the fault. */
const SHORT: Length = { ms: 3000, trials: 2 };
/** Length in ms and number of loads. This load is longer than the time after a fault within which load must stop. */
const LONG: Length = { ms: 14_000, trials: 1 };

const definition = ({ ms, trials }: Length) => ({
  version: 1,
  name: 'chaos-in-seats',
  spread: 'given-hosts',
  'request-timeout': '5s',
  patience: '10s',
  load: { seats: SEATS, threads: 1, 'share-machine': true, within: '2m' },
  index: { settings: { number_of_replicas: 0 } },
  cluster: { settings: { 'search.max_buckets': 70_000 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 5 } },
      executor: { 'constant-rate': { rate: 40, 'max-clients': 20 } },
    },
  ],
  measure: { warmup: '0s', duration: `${ms}ms`, drain: '5s' },
  trials,
});

/** Definition of a very short run, which is executed last. At its start, Dyno removes what a killed run left behind. */
const NEXT = { ...definition({ ms: 1000, trials: 1 }), load: undefined };

/**
 * Times at which an index of the target was created and removed, in ms since the epoch, and its number of documents when it was removed.
 */
interface IndexLife {
  index: string;
  made: number;
  removed: number;
  docs: number;
}

/** Records the bulks that reach the target (times in ms of `performance.now()`), and when indices are created and removed. */
class TargetLog {
  readonly bulks: { at: number; by: string }[] = [];
  readonly lives: IndexLife[] = [];
  private readonly made = new Map<string, number>();

  constructor(
    proxy: FaultProxy,
    private readonly url: string,
  ) {
    proxy.watch((line, headers) => {
      const made = /^PUT \/(dyno-trial-[^/?]+)(\?|$)/.exec(line)?.[1];
      if (made !== undefined) this.made.set(made, Date.now());
      if (/^POST [^ ]*_bulk/.test(line) && headers.authorization?.startsWith('ApiKey '))
        this.bulks.push({ at: performance.now(), by: headers.authorization.slice('ApiKey '.length) });
    });
    proxy.before = async (line) => {
      const removed = /^DELETE \/([^?]+)/.exec(line)?.[1];
      for (const index of (removed ?? '').split(',').filter((name) => this.made.has(name)))
        await this.count(index);
    };
  }

  /** Counts the documents of an index that is about to be removed. */
  private async count(index: string): Promise<void> {
    await ask(`${this.url}/${index}/_refresh`, 'POST');
    const { count } = await ask<{ count?: number }>(`${this.url}/${index}/_count`);
    if (count === undefined) return;
    const made = this.made.get(index)!;
    this.made.delete(index);
    this.lives.push({ index, made, removed: Date.now(), docs: count });
  }

  /**
   * Returns how long the load continued after a fault, in ms; 0 if no bulks followed. `from`: time of the fault. A new load that begins
   * before `newFrom` also counts as continued, because it may have been arranged before the fault. `from` and `newFrom` are in ms of
   * `performance.now()`.
   */
  continuedMs(from: number, newFrom: number): number {
    let last = from;
    for (const { at } of this.bulks.filter((bulk) => bulk.at >= from)) {
      const isAnother = at - last > PAUSE_MS && at > newFrom;
      if (isAnother) break;
      last = at;
    }
    return last - from;
  }
}

/**
 * A process that generates a part of the load, with its own API key. `seated`: times at which a run accepted the process, in ms of
 * `performance.now()`.
 */
class Worker {
  readonly command: Command;
  readonly seated: number[] = [];

  constructor(
    folder: string,
    results: string,
    readonly key: string,
  ) {
    this.command = new Command(folder, ['worker', '--join', results], { DYNO_TARGET_API_KEY: key });
    let seen = 0;
    const look = (): void => {
      const seats = this.command.output.match(/has seat \d+ of/g)?.length ?? 0;
      for (; seen < seats; seen += 1) this.seated.push(performance.now());
    };
    this.command.child.stdout!.on('data', look);
    this.command.child.stderr!.on('data', look);
  }

  get isThere(): boolean {
    const { exitCode, signalCode } = this.command.child;
    return exitCode === null && signalCode === null;
  }

  /** Whether a run uses this worker at the moment, according to the worker's last message. */
  get hasSeat(): boolean {
    const { output } = this.command;
    return this.isThere && output.lastIndexOf('has seat') > output.lastIndexOf('gave its seat');
  }
}

interface Places {
  folder: string;
  data: string;
  target: FaultProxy;
  results: FaultProxy;
  log: TargetLog;
  workers: Worker[];
  run: Command;
  /** Starts a worker that replaces another worker. */
  startWorker: () => Worker;
  length: Length;
}

interface Harm {
  at: number;
  /** End of the fault. The same as `at` if the fault has no duration. */
  until: number;
  victim: Worker | null;
  /** Whether the fault affected a process or a request. */
  hit: boolean;
  /** Whether the fault affected a process or a request on which the load depends. */
  hitLoad: boolean;
}

/**
 * Waits until the run reaches the point `moment`, such as its first bulk, and injects the fault. Returns null if the run ends before this
 * point.
 */
async function inject(
  scenario: Scenario,
  moment: Moment,
  random: Random,
  { run, target, results, workers, startWorker, length }: Places,
): Promise<Harm | null> {
  const nth = moment === 'start' ? 1 : 1 + random.below(length.trials);
  const within: Partial<Record<Moment, number>> = { start: 6000, prepare: 5000, load: length.ms + 500 };
  const delayMs = random.below(within[moment] ?? 300);
  const [from, to] = scenario.seconds;
  const lastsMs = 1000 * (from + random.unit() * (to - from));
  const [number, pauseMs] = [random.below(SEATS), random.below(3000)];
  await Promise.race([occurrence(target, moment, nth), run.ended]);
  await sleep(delayMs);
  if (run.child.exitCode !== null || run.child.signalCode !== null) return null;
  const at = performance.now();
  if (scenario.results !== undefined) {
    results.set({ kind: scenario.results });
    await sleep(lastsMs);
    const hit = results.hits > 0;
    results.set(undefined);
    return { at, until: performance.now(), victim: null, hit, hitLoad: hit };
  }
  if (scenario.seats === 'run') {
    run.child.kill(scenario.signal!);
    return { at, until: at, victim: null, hit: true, hitLoad: true };
  }
  const seated = workers.filter(({ hasSeat }) => hasSeat);
  const victim = seated[number % Math.max(1, seated.length)] ?? workers[number]!;
  const met = { at, victim, hit: true, hitLoad: victim.hasSeat };
  victim.command.child.kill(scenario.signal!);
  if (scenario.signal === 'SIGSTOP') {
    await sleep(lastsMs);
    const until = performance.now();
    victim.command.child.kill('SIGCONT');
    return { ...met, until };
  }
  // Restarts a worker as systemd would.
  await sleep(pauseMs);
  workers.push(startWorker());
  return { ...met, until: at };
}

/**
 * Returns a text for everything that was wrong with the load after the fault. Examples are load that continued too long, and requests of a
 * worker that was no longer allowed to send. `resumedAt`: time when another process resumed the run.
 */
function wrongLoad(
  { at, until, victim, hitLoad }: Harm,
  log: TargetLog,
  resumedAt: number,
): { continuedMs: number; wrong: string[] } {
  const wrong: string[] = [];
  // The load does not depend on a worker that no run uses.
  if (!hitLoad) return { continuedMs: 0, wrong };
  const continuedMs = log.continuedMs(at, Math.min(at + AGREED_MS, resumedAt + PAUSE_MS));
  if (continuedMs > LOAD_OVER_MS)
    wrong.push(`the load continued for ${(continuedMs / 1000).toFixed(1)} s after the fault`);
  if (victim === null) return { continuedMs, wrong };
  const newLease = victim.seated.find((seated) => seated > at) ?? Infinity;
  const late = log.bulks.filter(
    (bulk) => bulk.by === victim.key && bulk.at > at + ON_THE_WAY_MS && bulk.at < newLease,
  );
  if (late.length > 0) {
    const after = (late[0]!.at - until) / 1000;
    wrong.push(
      `${late.length} requests of the worker without a lease, the first ${after.toFixed(2)} s after it woke up`,
    );
  }
  return { continuedMs, wrong };
}

/** Compares the stored results of a run with the documents that its indices contained. Returns a text for each contradiction. */
async function wrongResults(
  results: string,
  run: RunDocument,
  allLives: readonly IndexLife[],
): Promise<string[]> {
  const wrong = await untruths(results, run);
  const trials = await documents<TrialDocument>(results, 'trials', run.run.id);
  const samples = await documents<SampleDocument>(results, 'samples', run.run.id);
  for (const { trial, tasks, times } of trials) {
    const lives = allLives.filter(({ index }) => index === trial.index);
    for (const { made, removed, docs } of lives) {
      const own = samples.filter((one) => {
        const second = Date.parse(one['@timestamp']);
        return one.trial.id === trial.id && second >= made && second <= removed;
      });
      const reported = own.reduce((sum, { counts }) => sum + counts.accepted, 0);
      if (reported > docs)
        wrong.push(`samples of ${trial.id} report ${reported} accepted documents, but its index had ${docs}`);
    }
    if (trial.state !== 'completed') {
      if (trial.reason === '') wrong.push(`${trial.id} is ${trial.state} without a reason`);
      continue;
    }
    const last = lives.filter(({ removed }) => removed >= Date.parse(times.started)).at(-1);
    if (last === undefined) {
      wrong.push(`${trial.id} is completed, but its index was never seen`);
      continue;
    }
    const { accepted, unknown = 0 } = tasks[0]!.total;
    if (last.docs < accepted || last.docs > accepted + unknown)
      wrong.push(
        `the index of ${trial.id} had ${last.docs} documents, but its outcomes are ${accepted} accepted and ${unknown} unknown`,
      );
  }
  const ids = trials.map(({ trial }) => trial.id);
  if (new Set(ids).size !== ids.length) wrong.push(`trials are stored more than once: ${ids.join(', ')}`);
  if (run.run.state === 'completed' && trials.length !== run.progress.trials)
    wrong.push(`${trials.length} of ${run.progress.trials} trials are stored`);
  return wrong;
}

/** Returns the messages about interrupted trials in the run's log. */
const failuresOf = ({ events }: RunDocument): string[] =>
  events.map(({ message }) => message).filter((message) => / failed: /.test(message));

/** Executes one run with one fault. The target and the cluster for results must be different clusters. */
export async function carryOutInSeats(
  scenario: Scenario,
  clusters: Clusters,
  seed: number,
): Promise<Outcome> {
  const random = createRandom(deriveSeed(seed, scenario.name));
  const moment = scenario.moments[random.below(scenario.moments.length)]!;
  const length = random.below(2) === 0 ? SHORT : LONG;
  const hasSpare = scenario.signal === 'SIGSTOP' && random.below(2) === 0;
  const [isResumed, isResumedLater] = [random.below(2) === 0, random.below(2) === 0];
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-chaos-'));
  const data = path.join(folder, 'data');
  for (const made of [data, path.join(folder, 'tmp')]) mkdirSync(made);
  const target = await FaultProxy.start(clusters.target, deriveSeed(seed, 'target'));
  const results = await FaultProxy.start(clusters.results, deriveSeed(seed, 'results'));
  const log = new TargetLog(target, clusters.target);
  const settingsBefore = await settingsByUrl(clusters);
  writeFileSync(path.join(folder, 'chaos.json'), JSON.stringify(definition(length)));
  writeFileSync(path.join(folder, 'next.json'), JSON.stringify(NEXT));
  const places = ['--elasticsearch', target.url, '--results', results.url];
  const start = (...args: string[]): Command => new Command(folder, [...args, ...places, '--no-collector']);
  let started = 0;
  const startWorker = (): Worker => new Worker(folder, results.url, `worker-${(started += 1)}`);
  const workers = Array.from({ length: SEATS + (hasSpare ? 1 : 0) }, startWorker);
  const began = Date.now();
  const wrong: string[] = [];
  const commands = [start('run', 'chaos.json')];
  const run = commands[0]!;
  /** Waits for the end of a command. Kills the command if it takes too long. */
  const endOfCommand = async (command: Command): Promise<Awaited<Command['ended']>> => {
    const timer = setTimeout(() => {
      wrong.push(`did not end within ${LONGEST_MS / 1000} s`);
      command.child.kill('SIGKILL');
    }, LONGEST_MS);
    return await command.ended.finally(() => clearTimeout(timer));
  };
  try {
    const injected = inject(scenario, moment, random, {
      ...{ folder, data, target, results, log, workers, run, startWorker, length },
    });
    let ended = await endOfCommand(run);
    const isKilled = ended.signal === 'SIGKILL';
    const id = idPrinted(run);
    const stored = async (): Promise<RunDocument | undefined> =>
      id === undefined ? undefined : (await documents<RunDocument>(clusters.results, 'runs', id))[0];
    let resumedAt = Infinity;
    if (isKilled) {
      if (isResumedLater) await sleep(LOAD_OVER_MS + PAUSE_MS);
      resumedAt = performance.now();
      if (isResumed && (await stored()) !== undefined) {
        commands.push(start('resume', id!));
        ended = await endOfCommand(commands.at(-1)!);
        if (ended.code !== 0) wrong.push(`the process that resumed the run ended with ${ended.code}`);
      }
    }
    const harm = await injected;
    const output = (): string => commands.map((command) => command.output).join('\n');
    // The next start handles a run that was killed and not resumed, and what could not be stored or removed.
    if ((isKilled && commands.length === 1) || LEFT_FOR_NEXT.test(output())) {
      commands.push(start('run', 'next.json'));
      const { code } = await endOfCommand(commands.at(-1)!);
      if (code !== 0) wrong.push(`the next start ended with ${code}`);
    }
    const seconds = (Date.now() - began) / 1000;
    for (const worker of workers) {
      if (worker.isThere) worker.command.child.kill('SIGTERM');
      const timer = setTimeout(() => worker.command.child.kill('SIGKILL'), LEAVE_MS);
      const { code, signal } = await worker.command.ended;
      clearTimeout(timer);
      const isVictim = worker === harm?.victim && scenario.signal === 'SIGKILL';
      // A worker that is still starting does not have to leave a run.
      const isStarted = worker.command.output.includes('waits for runs');
      if (!isVictim && isStarted && code !== 0) wrong.push(`${worker.key} ended with ${signal ?? code}`);
      if (!isVictim) wrong.push(...unreadable(worker.command.output).map((one) => `${worker.key}: ${one}`));
    }

    const last = await stored();
    const end = endOf(ended, last, output());
    let continuedMs = 0;
    if (harm !== null) {
      const load = wrongLoad(harm, log, resumedAt);
      continuedMs = load.continuedMs;
      wrong.push(...load.wrong);
    }
    if (end !== 'not begun' && harm !== null && !scenario.ends.includes(end as Scenario['ends'][number]))
      wrong.push(`ended as ${end}, allowed: ${scenario.ends.join(', ')}`);
    if (last !== undefined) {
      wrong.push(...(await wrongResults(clusters.results, last, log.lives)));
      const failures = failuresOf(last);
      const words = [last.run.reason, ...failures].filter((word) => word !== '');
      for (const word of words)
        if (scenario.says?.test(word) === false)
          wrong.push(`its output does not match ${String(scenario.says)}: ${word}`);
      const repeated = await documents<TrialDocument>(clusters.results, 'trials', last.run.id);
      if (
        end === 'completed' &&
        repeated.filter(({ trial }) => trial.repeats !== undefined).length !== failures.length
      )
        wrong.push(`${failures.length} trials failed although others were repeated: ${failures.join('; ')}`);
    } else if (end === 'completed') wrong.push('completed, but its results contain no run');
    for (const command of commands)
      if (command.child.signalCode === null) wrong.push(...unreadable(command.output));
    wrong.push(...(await leftovers(settingsBefore, folder)));
    if (wrong.length > 0) await sweep(clusters);
    const shown = [
      `load of ${length.ms} ms, ${length.trials} trials; the load continued for ${Math.round(continuedMs)} ms`,
      ...commands.map((command) => `--- ${command.child.spawnargs.slice(3, 5).join(' ')}\n${command.output}`),
      ...workers.map(({ key, command }) => `--- ${key}\n${command.output}`),
    ];
    return {
      ...{ scenario: scenario.name, seed, moment, hit: harm?.hit ?? false, end, seconds, wrong, continuedMs },
      output: shown.join('\n'),
    };
  } finally {
    const all = [...commands, ...workers.map(({ command }) => command)];
    for (const { child } of all) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await Promise.all(all.map((command) => command.ended));
    await Promise.all([target.stop(), results.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
