/** Messages between the feeder, the parsers, the senders and the parser pool: plain data. */
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
  /** Part of the source that this seat reads. */
  seat: Share;
}

export interface ParserJob {
  parse: ParseJob;
  bulk: IngestJob['bulk'];
  /** Action line of each document, with its line feed. */
  actionLine: string;
  /** Lengths of the phases, as in the load. */
  warmupMs: number;
  measureMs: number | null;
  /** Same as in the load's target. */
  clockOffsetMs?: number;
  /** Array with one element: number of the current line. */
  progress: Int32Array;
}

/** Messages of the feeder: raw lines, each with its line feed. `first`: number of the first line, from 1. */
export type FromFeeder = { kind: 'lines'; lines: PackedBatch; first: number } | { kind: 'end' };
/** Request of a parser for more lines. `spare` is memory for them. */
export interface ToFeeder {
  spare: PackedBatch | null;
}

/** Messages from a parser, or from a thread that reads documents, to a sender. */
export type FromRenderer =
  | { kind: 'bulk'; bulk: PackedBatch }
  | { kind: 'end' }
  /** It failed, after all the bulks that it sent. */
  | { kind: 'broken'; problemKind: ProblemKind; problems: Problem[] };
/** A place in the queue is free again. `spare` is memory for the next bulk. */
export interface ToRenderer {
  spare: PackedBatch | null;
}

export type ToFeederThread = { kind: 'feed'; job: FeederJob; parsers: MessagePort[] } | { kind: 'stop' };

export type ToParserThread =
  | { kind: 'parse'; job: ParserJob; feeder: MessagePort; senders: MessagePort[] }
  /** Start of the load. Parsing begins before it. */
  | { kind: 'begin'; start: LoadStart }
  /** End of the measured phase, in ms since the start of the load. */
  | { kind: 'measured'; until: number }
  | { kind: 'stop' };

/** Counts of one parser over all phases. */
export interface ParserCounts {
  parsed: number;
  unparsed: number;
  waiting: number;
  documents: number;
  reasons: Record<string, number>;
  examples: LineExample[];
}

export type FromParserThread =
  /** Number of lines that were read from the source, and of those that no parser got. */
  | { kind: 'fed'; lines: number; kept: number }
  | { kind: 'parsed'; counts: ParserCounts; times: ParserTimes }
  | { kind: 'alive' }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
