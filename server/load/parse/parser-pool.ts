/** The threads that parse the lines of one task: one feeder and its parsers, with their channels to the shares that send. */
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
import type { LoadJob } from '../contract';
import { actionLineOf } from '../operations/index-router';
import type { FromParserThread, ParserJob, ToFeederThread, ToParserThread } from './messages';

/** A parser that has given no sign of life for this long is lost in one line, ms. */
const STUCK_MS = 30_000;
const WATCH_MS = 1000;

interface ParserThread {
  worker: Worker;
  /** Turns of the watch since its last sign of life: this thread may be the one that is held up, so no time is told. */
  silentTurns: number;
  /** The line that it is at, from 1; 0 before the first. */
  progress: Int32Array;
  told: Extract<FromParserThread, { kind: 'parsed' }> | null;
}

export interface Parsed {
  account: ParseAccount;
  times: ParserTimes;
}

export interface ParserPoolSetting {
  job: LoadJob;
  task: string;
  ingest: IngestJob & { parse: ParseJob };
  shares: number;
  workerFile: string;
  onFailed: (error: DynoError) => void;
  /** {@link STUCK_MS}; for tests. */
  stuckMs?: number;
}

export class ParserPool {
  /** By share, one of each parser. */
  readonly ports: MessagePort[][];
  private readonly feeder: Worker;
  private readonly parsers: ParserThread[];
  private fed: Extract<FromParserThread, { kind: 'fed' }> | null = null;
  private readonly watch: NodeJS.Timeout;
  private over = false;
  private readonly done: Promise<Parsed>;
  private resolve!: (parsed: Parsed) => void;

  constructor(private readonly setting: ParserPoolSetting) {
    const { job, task, ingest, shares } = setting;
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.ports = Array.from({ length: shares }, () => []);
    const feeding: MessagePort[] = [];
    this.feeder = this.thread('dyno-feed');
    this.parsers = Array.from({ length: ingest.parse.workers }, (_, index) => {
      const toFeeder = new MessageChannel();
      feeding.push(toFeeder.port1);
      const toShares = this.ports.map((ports) => {
        const channel = new MessageChannel();
        ports.push(channel.port1);
        return channel.port2;
      });
      return this.parser(index, toFeeder.port2, toShares);
    });
    const feed: ToFeederThread = {
      kind: 'feed',
      job: { source: ingest.source, seed: deriveSeed(job.seed, task, 'lines') },
      parsers: feeding,
    };
    this.feeder.postMessage(feed, feeding);
    this.watch = setInterval(() => {
      this.checkAlive();
    }, WATCH_MS);
  }

  /** `startAt`: of the load, ms since the epoch. */
  begin(startAt: number): void {
    this.tellParsers({ kind: 'begin', startAt });
  }

  /** The measured phase has ended; ms since the start of the load. */
  endMeasure(until: number): void {
    this.tellParsers({ kind: 'measured', until });
  }

  get workers(): number {
    return this.parsers.length;
  }

  /** Nothing more is wanted: resolves to what became of the lines. */
  stop(): Promise<Parsed> {
    const stop: ToFeederThread = { kind: 'stop' };
    this.feeder.postMessage(stop);
    this.tellParsers({ kind: 'stop' });
    return this.done;
  }

  /** Resolves when its threads are gone, wherever they were. */
  async terminate(): Promise<void> {
    this.over = true;
    clearInterval(this.watch);
    const threads = [this.feeder, ...this.parsers.map(({ worker }) => worker)];
    await Promise.all(threads.map((worker) => worker.terminate()));
  }

  private parser(index: number, feeder: MessagePort, senders: MessagePort[]): ParserThread {
    const { job, ingest } = this.setting;
    const parser: ParserThread = {
      worker: this.thread(`dyno-parse-${index}`, (message) => {
        parser.silentTurns = 0;
        if (message.kind === 'parsed') parser.told = message;
      }),
      silentTurns: 0,
      progress: new Int32Array(new SharedArrayBuffer(4)),
      told: null,
    };
    const own: ParserJob = {
      parse: ingest.parse,
      bulk: ingest.bulk,
      actionLine: actionLineOf(job.indices, job.route),
      warmupMs: job.warmupMs,
      measureMs: job.measureMs,
      progress: parser.progress,
    };
    const start: ToParserThread = { kind: 'parse', job: own, feeder, senders };
    parser.worker.postMessage(start, [feeder, ...senders]);
    return parser;
  }

  private thread(name: string, hear: (message: FromParserThread) => void = () => undefined): Worker {
    const worker = new Worker(this.setting.workerFile, { name });
    worker.on('message', (message: FromParserThread) => {
      if (this.over) return;
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
    const told = this.parsers.flatMap((parser) => parser.told ?? []);
    const { fed } = this;
    if (fed === null || told.length < this.parsers.length) return;
    const account = noParseAccount();
    const times = noParserTimes();
    for (const parser of told) {
      addParseAccount(account, { ...parser.counts, lines: 0, unsent: 0 });
      addParserTimes(times, parser.times);
    }
    account.lines = fed.lines;
    account.waiting += fed.kept;
    this.resolve({ account, times });
  }

  private checkAlive(): void {
    const { task, stuckMs = STUCK_MS } = this.setting;
    for (const parser of this.parsers) {
      parser.silentTurns += 1;
      const [at] = parser.progress;
      if (parser.told !== null || at === 0 || parser.silentTurns * WATCH_MS < stuckMs) continue;
      const line = `line ${at} of the source (blank ones not counted)`;
      this.fail(
        'parse.stuck',
        `the pattern of ${task} has been at ${line} for ${stuckMs / 1000} s: the pattern has too many ways to match it`,
      );
    }
  }

  private fail(code: string, message: string, cause?: unknown): void {
    if (this.over) return;
    this.setting.onFailed(runError(code, `tasks.${this.setting.task}.ingest.parse`, message, cause));
  }
}

/** One for each task whose lines are parsed by threads, by its name. */
export function parserPoolsOf(
  job: LoadJob,
  setting: Pick<ParserPoolSetting, 'shares' | 'workerFile' | 'onFailed'>,
): Map<string, ParserPool> {
  const parserPools = new Map<string, ParserPool>();
  for (const { name, operation } of job.tasks) {
    if (operation.kind !== 'ingest' || operation.parse === null) continue;
    const ingest = { ...operation, parse: operation.parse };
    parserPools.set(name, new ParserPool({ ...setting, job, task: name, ingest }));
  }
  return parserPools;
}
