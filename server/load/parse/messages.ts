/** Messages between the feeder, the parsers, the senders and the parser pool. Plain data. */
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
  /** The part of the source that this seat reads. */
  seat: Share;
}

export interface ParserJob {
  parse: ParseJob;
  bulk: IngestJob['bulk'];
  /** Action line of each document, with its line feed. */
  actionLine: string;
  /** Lengths of the phases, as in the load, in ms. */
  warmupMs: number;
  measureMs: number | null;
  /** Difference between the target's clock and the run's clock, in ms, as in {@link LoadTarget}. */
  clockOffsetMs?: number;
  /** Array with one element, in which the parser writes the number of its current line. If the parser hangs, the error shows this line. */
  progress: Int32Array;
}

/** Messages of the feeder: raw lines, each with its line feed. `first`: number of the first line, from 1. */
export type FromFeeder = { kind: 'lines'; lines: PackedBatch; first: number } | { kind: 'end' };
/** A parser's request for more lines. `spare`: memory for the lines. */
export interface ToFeeder {
  spare: PackedBatch | null;
}

/** Messages from a parser, or from a thread that reads documents, to a sender. */
export type FromRenderer =
  | { kind: 'bulk'; bulk: PackedBatch }
  | { kind: 'end' }
  /** The thread failed. All bulks that it sent before this message are valid. */
  | { kind: 'broken'; problemKind: ProblemKind; problems: Problem[] };
/** Message to a thread that creates bulks: the sender's queue can take another bulk. `spare`: memory for the next bulk. */
export interface ToRenderer {
  spare: PackedBatch | null;
}

export type ToFeederThread = { kind: 'feed'; job: FeederJob; parsers: MessagePort[] } | { kind: 'stop' };

export type ToParserThread =
  | { kind: 'parse'; job: ParserJob; feeder: MessagePort; senders: MessagePort[] }
  /** Start of the load. The parsers begin before the load does, so they receive the start later. */
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
  /** Number of lines that were read from the source, and number of these that no parser received. */
  | { kind: 'fed'; lines: number; kept: number }
  | { kind: 'parsed'; counts: ParserCounts; times: ParserTimes }
  | { kind: 'alive' }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
