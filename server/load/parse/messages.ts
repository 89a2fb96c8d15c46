/**
 * Messages between the threads that parse the raw lines of a task. The *feeder* reads the lines, the *parsers* build bulks from them, and
 * the *senders* are the load threads. Plain data.
 */
import type { MessagePort } from 'node:worker_threads';
import type { ParserTimes } from '../../../common/measurement/parse';
import type { LineExample } from '../../../common/measurement/replay';
import type { Problem, ProblemKind } from '../../../common/problem';
import type { IngestJob } from '../../../common/tasks/ingest';
import type { ParseJob } from '../../../common/tasks/parse';
import type { SourceJob } from '../../../common/tasks/source';
import type { LoadStart } from '../timing/clock';
import type { Share } from '../threads/shares';
import type { PackedBatch } from '../sources/batch';

export interface FeederJob {
  source: SourceJob;
  seed: number;
  /** The part of the source that this process reads. If several machines generate load, each of them reads one part. */
  seat: Share;
}

export interface ParserJob {
  parse: ParseJob;
  bulk: IngestJob['bulk'];
  /** Action line of each document, with its line feed. */
  actionLine: string;
  /** Length of the load's warm-up in ms. */
  warmupMs: number;
  /** Length of the load's measured phase in ms. Null if the phase ends with the last document. */
  measureMs: number | null;
  /** Difference between the target's clock and the run's clock, in ms, as in {@link LoadTarget}. */
  clockOffsetMs?: number;
  /** Array with one element, in which the parser writes the number of its current line. If the parser hangs, the error shows this line. */
  progress: Int32Array;
}

/** Messages of the thread that reads lines. Each of the raw lines ends with a line feed. `first`: number of the first line, from 1. */
export type FromFeeder = { kind: 'lines'; lines: PackedBatch; first: number } | { kind: 'end' };
/** A parser's request for more lines. `spare`: memory of earlier lines that can be used again; null for new memory. */
export interface ToFeeder {
  spare: PackedBatch | null;
}

/** Messages to a load thread from a thread that builds bulks: a parser of raw lines, or a reader of documents. */
export type FromRenderer =
  | { kind: 'bulk'; bulk: PackedBatch }
  | { kind: 'end' }
  /** The thread failed. All bulks that it sent before this message are valid. */
  | { kind: 'broken'; problemKind: ProblemKind; problems: Problem[] };
/**
 * Message with which a load thread requests another bulk from a thread that builds bulks. `spare`: memory of an earlier bulk that can be
 * used again; null for new memory.
 */
export interface ToRenderer {
  spare: PackedBatch | null;
}

export type ToFeederThread = { kind: 'feed'; job: FeederJob; parsers: MessagePort[] } | { kind: 'stop' };

export type ToParserThread =
  | { kind: 'parse'; job: ParserJob; feeder: MessagePort; senders: MessagePort[] }
  /** The start of the load. The parsers begin earlier than the load, so they receive this time later. */
  | { kind: 'begin'; start: LoadStart }
  /** End of the measured phase, in ms since the start of the load. */
  | { kind: 'measured'; until: number }
  | { kind: 'stop' };

/** Counts of one parser, over all phases. */
export interface ParserCounts {
  parsed: number;
  unparsed: number;
  waiting: number;
  documents: number;
  reasons: Record<string, number>;
  examples: LineExample[];
}

export type FromParserThread =
  /**
   * Report of the thread that reads lines, when it ends. `lines`: number of lines that it has read. `kept`: number of those lines that it
   * has not sent to a parser.
   */
  | { kind: 'fed'; lines: number; kept: number }
  | { kind: 'parsed'; counts: ParserCounts; times: ParserTimes }
  | { kind: 'alive' }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
