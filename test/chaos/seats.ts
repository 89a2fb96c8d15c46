/**
 * Carries one run whose load two workers generate through one scenario. What each of them sends is seen from the target's side, where a
 * worker is known by its key; what an index holds is counted in the moment in which it is removed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunDocument } from '../../common/experiment/run';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { ask, documents, endOf, LEFT_FOR_NEXT, leftovers, sweep, unreadable, untruths } from './aftermath';
import type { Outcome } from './carry';
import { Command, idSaid } from './command';
import { FaultProxy } from './fault-proxy';
import { occurrence } from './moments';
import type { Moment, Scenario } from './scenario';

/** A run without a fault takes some 25 s, one whose worker sleeps for half a minute a minute more. */
const LONGEST_MS = 240_000;
const SEATS = 2;
/** Without any load for so long, one load is over and what follows is another, ms: the start of a load takes longer. */
const PAUSE_MS = 2000;
/** A load that was agreed upon before the fault begins within this after it, ms. */
const AGREED_MS = 5000;
/** After a fault nothing of that load is sent from then on: its leases are over, and those who go on know that another is lost; ms. */
const LOAD_OVER_MS = 10_000;
/** What a process had handed to the system before it was stopped still arrives, late where this machine is busy; ms. */
const ON_THE_WAY_MS = 2000;
/** Time for workers to give their seats back, ms. */
const LEAVE_MS = 20_000;

interface Length {
  ms: number;
  trials: number;
}
/** The load ends by itself soon after the fault; another trial follows. */
const SHORT: Length = { ms: 3000, trials: 2 };
/** It would go on for longer than the fault may take to end it. */
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

/** Of the next start, which finds what the run has left: the shortest run there is. */
const NEXT = { ...definition({ ms: 1000, trials: 1 }), load: undefined };

/** Two clusters that nothing else uses meanwhile, URLs. */
export interface Clusters {
  target: string;
  results: string;
}

/** One life of an index in the target. Times in ms since the epoch. */
interface Stood {
  index: string;
  made: number;
  removed: number;
  docs: number;
}

/** What the target has seen. Times in ms of `performance.now()`. */
class TargetLog {
  readonly bulks: { at: number; by: string }[] = [];
  readonly stood: Stood[] = [];
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

  /** Documents of an index that is about to be removed. */
  private async count(index: string): Promise<void> {
    await ask(`${this.url}/${index}/_refresh`, 'POST');
    const { count } = await ask<{ count?: number }>(`${this.url}/${index}/_count`);
    if (count === undefined) return;
    const made = this.made.get(index)!;
    this.made.delete(index);
    this.stood.push({ index, made, removed: Date.now(), docs: count });
  }

  /** How long the load that went on, or was agreed upon, at `from` went on after it, ms; 0 where there was none. */
  wentOnMs(from: number, newFrom: number): number {
    let last = from;
    for (const { at } of this.bulks.filter((bulk) => bulk.at >= from)) {
      const isAnother = at - last > PAUSE_MS && at > newFrom;
      if (isAnother) break;
      last = at;
    }
    return last - from;
  }
}

/** A worker with a key of its own, and when it was given a seat, ms of `performance.now()`. */
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
      const seats = this.command.said.match(/has seat \d+ of/g)?.length ?? 0;
      for (; seen < seats; seen += 1) this.seated.push(performance.now());
    };
    this.command.child.stdout!.on('data', look);
    this.command.child.stderr!.on('data', look);
  }

  get isThere(): boolean {
    const { exitCode, signalCode } = this.command.child;
    return exitCode === null && signalCode === null;
  }

  /** By its last word. */
  get hasSeat(): boolean {
    const { said } = this.command;
    return this.isThere && said.lastIndexOf('has seat') > said.lastIndexOf('gave its seat');
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
  /** For one that takes the place of another. */
  startWorker: () => Worker;
  length: Length;
}

interface Harm {
  at: number;
  /** Of a fault that has an end. */
  until: number;
  victim: Worker | null;
  /** Whether the fault has met a process, or a request. */
  hit: boolean;
  /** Whether it was one without which the load cannot go on. */
  hitLoad: boolean;
}

/** Waits for the moment, and does the harm; null where the run had ended before. */
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
  // As systemd does it.
  await sleep(pauseMs);
  workers.push(startWorker());
  return { ...met, until: at };
}

/** What may not be of the load, as the target has seen it. `resumedAt`: when another process went on with the run. */
function wrongLoad(
  { at, until, victim, hitLoad }: Harm,
  log: TargetLog,
  resumedAt: number,
): { wentOnMs: number; wrong: string[] } {
  const wrong: string[] = [];
  // A worker without a seat is missed by nobody: the load goes on as it should.
  if (!hitLoad) return { wentOnMs: 0, wrong };
  const wentOnMs = log.wentOnMs(at, Math.min(at + AGREED_MS, resumedAt + PAUSE_MS));
  if (wentOnMs > LOAD_OVER_MS)
    wrong.push(`the load went on for ${(wentOnMs / 1000).toFixed(1)} s after the fault`);
  if (victim === null) return { wentOnMs, wrong };
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
  return { wentOnMs, wrong };
}

/** What the results say of a run against what its indices held, and what a run in seats owes its reader. */
async function wrongAccount(results: string, run: RunDocument, stood: readonly Stood[]): Promise<string[]> {
  const wrong = await untruths(results, run);
  const trials = await documents<TrialDocument>(results, 'trials', run.run.id);
  const samples = await documents<SampleDocument>(results, 'samples', run.run.id);
  for (const { trial, tasks, times } of trials) {
    const lives = stood.filter(({ index }) => index === trial.index);
    for (const { made, removed, docs } of lives) {
      const own = samples.filter((one) => {
        const second = Date.parse(one['@timestamp']);
        return one.trial.id === trial.id && second >= made && second <= removed;
      });
      const told = own.reduce((sum, { counts }) => sum + counts.accepted, 0);
      if (told > docs)
        wrong.push(`samples of ${trial.id} tell of ${told} accepted documents, its index held ${docs}`);
    }
    if (trial.state !== 'completed') {
      if (trial.reason === '') wrong.push(`${trial.id} is ${trial.state} without a reason`);
      continue;
    }
    const last = lives.filter(({ removed }) => removed >= Date.parse(times.started)).at(-1);
    if (last === undefined) {
      wrong.push(`${trial.id} is completed, and nobody has seen its index`);
      continue;
    }
    const { accepted, unknown = 0 } = tasks[0]!.total;
    if (last.docs < accepted || last.docs > accepted + unknown)
      wrong.push(
        `the index of ${trial.id} held ${last.docs} documents, its outcomes are ${accepted} accepted and ${unknown} unknown`,
      );
  }
  const ids = trials.map(({ trial }) => trial.id);
  if (new Set(ids).size !== ids.length) wrong.push(`trials are stored more than once: ${ids.join(', ')}`);
  if (run.run.state === 'completed' && trials.length !== run.progress.trials)
    wrong.push(`${trials.length} of ${run.progress.trials} trials are stored`);
  return wrong;
}

/** What a trial that was cut short said of it, as the run's log has it. */
const failuresOf = ({ events }: RunDocument): string[] =>
  events.map(({ message }) => message).filter((message) => / failed: /.test(message));

/** `clusters`: that nothing else uses meanwhile. */
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
  const settingsBefore = JSON.stringify(await ask(`${clusters.target}/_cluster/settings`));
  const resultsSettings = JSON.stringify(await ask(`${clusters.results}/_cluster/settings`));
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
  /** Ends what takes too long. */
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
    const id = idSaid(run);
    const stored = async (): Promise<RunDocument | undefined> =>
      id === undefined ? undefined : (await documents<RunDocument>(clusters.results, 'runs', id))[0];
    let resumedAt = Infinity;
    if (isKilled) {
      if (isResumedLater) await sleep(LOAD_OVER_MS + PAUSE_MS);
      resumedAt = performance.now();
      if (isResumed && (await stored()) !== undefined) {
        commands.push(start('resume', id!));
        ended = await endOfCommand(commands.at(-1)!);
        if (ended.code !== 0) wrong.push(`the run was resumed, and that ended with ${ended.code}`);
      }
    }
    const harm = await injected;
    const said = (): string => commands.map((command) => command.said).join('\n');
    // What was killed and not resumed is found by the next start, as is what could not be stored or removed.
    if ((isKilled && commands.length === 1) || LEFT_FOR_NEXT.test(said())) {
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
      // One that has just begun to start has nothing to give back.
      const isStarted = worker.command.said.includes('waits for runs');
      if (!isVictim && isStarted && code !== 0) wrong.push(`${worker.key} ended with ${signal ?? code}`);
      if (!isVictim) wrong.push(...unreadable(worker.command.said).map((one) => `${worker.key}: ${one}`));
    }

    const last = await stored();
    const end = endOf(ended, last, said());
    let wentOnMs = 0;
    if (harm !== null) {
      const load = wrongLoad(harm, log, resumedAt);
      wentOnMs = load.wentOnMs;
      wrong.push(...load.wrong);
    }
    if (end !== 'not begun' && harm !== null && !scenario.ends.includes(end as Scenario['ends'][number]))
      wrong.push(`ended as ${end}, allowed: ${scenario.ends.join(', ')}`);
    if (last !== undefined) {
      wrong.push(...(await wrongAccount(clusters.results, last, log.stood)));
      const failures = failuresOf(last);
      const words = [last.run.reason, ...failures].filter((word) => word !== '');
      for (const word of words)
        if (scenario.says?.test(word) === false)
          wrong.push(`says nothing like ${String(scenario.says)}: ${word}`);
      const repeated = await documents<TrialDocument>(clusters.results, 'trials', last.run.id);
      if (
        end === 'completed' &&
        repeated.filter(({ trial }) => trial.repeats !== undefined).length !== failures.length
      )
        wrong.push(`${failures.length} trials failed, and others were repeated: ${failures.join('; ')}`);
    } else if (end === 'completed') wrong.push('completed, and its results hold no run');
    for (const command of commands)
      if (command.child.signalCode === null) wrong.push(...unreadable(command.said));
    wrong.push(...(await leftovers(clusters.target, folder, settingsBefore)));
    wrong.push(...(await leftovers(clusters.results, folder, resultsSettings)));
    if (wrong.length > 0) for (const url of Object.values(clusters)) await sweep(url);
    const shown = [
      `load of ${length.ms} ms, ${length.trials} trials; the load went on for ${Math.round(wentOnMs)} ms`,
      ...commands.map((command) => `--- ${command.child.spawnargs.slice(3, 5).join(' ')}\n${command.said}`),
      ...workers.map(({ key, command }) => `--- ${key}\n${command.said}`),
    ];
    return {
      ...{ scenario: scenario.name, seed, moment, hit: harm?.hit ?? false, end, seconds, wrong, wentOnMs },
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
