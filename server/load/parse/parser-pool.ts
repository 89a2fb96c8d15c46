/**
 * The threads that parse the raw lines of one task. One thread, the *feeder*, reads the lines. The *parsers* build bulks from them, and
 * send the bulks to the load threads.
 */
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import {
  addParserTimes,
  noParseAccount,
  noParserTimes,
  addParseAccount,
  type ParseAccount,
  type ParserTimes,
} from '../../../common/measurement/parse';
import { deriveSeed } from '../../../common/random';
import { DynoError, messageOf, runError } from '../../../common/problem';
import type { IngestJob } from '../../../common/tasks/ingest';
import type { ParseJob } from '../../../common/tasks/parse';
import type { LoadStart } from '../timing/clock';
import type { LoadJob } from '../contract';
import type { Share } from '../threads/shares';
import { Watchdog } from '../threads/watchdog';
import { actionLineOf } from '../operations/index-router';
import type { FromParserThread, ParserJob, ToFeederThread, ToParserThread } from './messages';

interface ParserThread {
  worker: Worker;
  /** Number of the parser's current line, from 1; 0 before the first line. */
  progress: Int32Array;
  result: Extract<FromParserThread, { kind: 'parsed' }> | null;
}

export interface Parsed {
  account: ParseAccount;
  times: ParserTimes;
}

export interface ParserPoolSetting {
  job: LoadJob;
  task: string;
  ingest: IngestJob & { parse: ParseJob };
  /** The part of the lines that this process reads. If several machines generate load, each of them reads one part. */
  seat: Share;
  /** Number of load threads in this process. */
  shares: number;
  workerFile: string;
  onFailed: (error: DynoError) => void;
  /** Silence, in ms, after which a thread counts as hung. Default: the value of {@link Watchdog}. For tests. */
  silentMs?: number;
}

export class ParserPool {
  /** For each load thread: one port per parser, on which it receives bulks. */
  readonly ports: MessagePort[][];
  private readonly feeder: Worker;
  private readonly parsers: ParserThread[];
  private fed: Extract<FromParserThread, { kind: 'fed' }> | null = null;
  private readonly watchdog: Watchdog;
  private over = false;
  private readonly done: Promise<Parsed>;
  private resolve!: (parsed: Parsed) => void;

  constructor(private readonly setting: ParserPoolSetting) {
    const { job, task, ingest, shares } = setting;
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.ports = Array.from({ length: shares }, () => []);
    const { workers } = ingest.parse;
    this.watchdog = new Watchdog({
      // The parser threads have the first numbers, and the thread that reads lines has the last one.
      threads: workers + 1,
      silentMs: setting.silentMs,
      onSilent: (thread, forMs) => this.failSilent(thread, forMs),
    });
    const feeding: MessagePort[] = [];
    this.feeder = this.thread('dyno-feed', workers);
    this.parsers = Array.from({ length: workers }, (_, index) => {
      const toFeeder = new MessageChannel();
      feeding.push(toFeeder.port1);
      const toShares = this.ports.map((ports) => {
        const channel = new MessageChannel();
        ports.push(channel.port1);
        return channel.port2;
      });
      return this.parser(index, toFeeder.port2, toShares);
    });
    const { seat } = setting;
    const seed = deriveSeed(job.seed, task, 'lines', ...(seat.index === 0 ? [] : [seat.index]));
    const feed: ToFeederThread = {
      kind: 'feed',
      job: { source: ingest.source, seed, seat },
      parsers: feeding,
    };
    this.feeder.postMessage(feed, feeding);
  }

  /** Notifies the parsers of the start of the load. */
  begin(start: LoadStart): void {
    this.tellParsers({ kind: 'begin', start });
  }

  /** Notifies the parsers of the end of the measured phase. `until`: in ms since the start of the load. */
  endMeasure(until: number): void {
    this.tellParsers({ kind: 'measured', until });
  }

  get workers(): number {
    return this.parsers.length;
  }

  /** Stops parsing. Resolves to the numbers of lines that were parsed and not parsed. */
  stop(): Promise<Parsed> {
    const stop: ToFeederThread = { kind: 'stop' };
    this.feeder.postMessage(stop);
    this.tellParsers({ kind: 'stop' });
    this.watchdog.endWithin(this.watchdog.lateMs, () => this.failLate());
    return this.done;
  }

  /** Terminates the threads. Resolves when they have ended. */
  async terminate(): Promise<void> {
    this.over = true;
    this.watchdog.close();
    const threads = [this.feeder, ...this.parsers.map(({ worker }) => worker)];
    await Promise.all(threads.map((worker) => worker.terminate()));
  }

  private parser(index: number, feeder: MessagePort, senders: MessagePort[]): ParserThread {
    const { job, ingest } = this.setting;
    const parser: ParserThread = {
      worker: this.thread(`dyno-parse-${index}`, index, (message) => {
        if (message.kind === 'parsed') parser.result = message;
      }),
      progress: new Int32Array(new SharedArrayBuffer(4)),
      result: null,
    };
    const own: ParserJob = {
      parse: ingest.parse,
      bulk: ingest.bulk,
      // With actions or ids, the sender adds the action lines.
      actionLine: ingest.writes === undefined ? actionLineOf(job.indices, job.route) : '',
      warmupMs: job.warmupMs,
      measureMs: job.measureMs,
      clockOffsetMs: job.target.clockOffsetMs,
      progress: parser.progress,
    };
    const start: ToParserThread = { kind: 'parse', job: own, feeder, senders };
    parser.worker.postMessage(start, [feeder, ...senders]);
    return parser;
  }

  /**
   * Starts a thread and handles its messages. `number`: number of the thread in the watchdog. `hear`: called with each message of the
   * thread.
   */
  private thread(
    name: string,
    number: number,
    hear: (message: FromParserThread) => void = () => undefined,
  ): Worker {
    const worker = new Worker(this.setting.workerFile, { name });
    worker.on('message', (message: FromParserThread) => {
      if (this.over) return;
      if (message.kind === 'parsed' || message.kind === 'fed') this.watchdog.release(number);
      else this.watchdog.noteSignOfLife(number);
      if (message.kind === 'failed')
        this.setting.onFailed(new DynoError(message.problemKind, message.problems));
      if (message.kind === 'fed') this.fed = message;
      hear(message);
      this.conclude();
    });
    worker.on('error', (error: unknown) => {
      this.fail('parse.thread-failed', `a parser thread failed: ${messageOf(error)}`, error);
    });
    worker.on('exit', (code) => {
      this.fail('parse.thread-ended', `a parser thread ended early, with code ${code}`);
    });
    return worker;
  }

  private tellParsers(message: ToParserThread): void {
    for (const { worker } of this.parsers) worker.postMessage(message);
  }

  private conclude(): void {
    const results = this.parsers.flatMap((parser) => parser.result ?? []);
    const { fed } = this;
    if (fed === null || results.length < this.parsers.length) return;
    const account = noParseAccount();
    const times = noParserTimes();
    for (const parser of results) {
      addParseAccount(account, { ...parser.counts, lines: 0, unsent: 0 });
      addParserTimes(times, parser.times);
    }
    account.lines = fed.lines;
    account.waiting += fed.kept;
    this.resolve({ account, times });
  }

  /** Fails the load. The error names the thread that hangs, and its current line if it is a parser. */
  private failSilent(thread: number, forMs: number): void {
    const { task } = this.setting;
    const [at] = this.parsers[thread]?.progress ?? [0];
    if (at === 0)
      return this.fail(
        'parse.stuck',
        `${this.nameOf(thread)} of ${task} gave no sign of life for ${forMs / 1000} s and was terminated because it hangs`,
      );
    const line = `line ${at} of the source (blank ones not counted)`;
    this.fail(
      'parse.stuck',
      `the pattern of ${task} has been at ${line} for ${forMs / 1000} s: the pattern has too many ways to match it`,
    );
  }

  private failLate(): void {
    const late = [
      ...this.parsers.flatMap(({ result }, index) => (result === null ? [index] : [])),
      ...(this.fed === null ? [this.parsers.length] : []),
    ];
    if (late.length === 0) return;
    const names = late.map((thread) => this.nameOf(thread)).join(', ');
    this.fail(
      'parse.stuck',
      `${names} of ${this.setting.task} did not end within ${this.watchdog.lateMs / 1000} s after the load because it hangs`,
    );
  }

  private nameOf(thread: number): string {
    const { length } = this.parsers;
    return thread === length ? 'the thread that reads lines' : `parser thread ${thread + 1} of ${length}`;
  }

  private fail(code: string, message: string, cause?: unknown): void {
    if (this.over) return;
    this.setting.onFailed(runError(code, `tasks.${this.setting.task}.ingest.parse`, message, cause));
  }
}

/** Creates the parser pools of a load, by task: one for each task whose lines are parsed in threads. */
export function parserPoolsOf(
  job: LoadJob,
  setting: Omit<ParserPoolSetting, 'job' | 'task' | 'ingest'>,
): Map<string, ParserPool> {
  const parserPools = new Map<string, ParserPool>();
  for (const { name, operation } of job.tasks) {
    if (operation.kind !== 'ingest' || operation.parse === null) continue;
    const ingest = { ...operation, parse: operation.parse };
    parserPools.set(name, new ParserPool({ ...setting, job, task: name, ingest }));
  }
  return parserPools;
}
