/** What passes between the feeder, the parsers, the senders and the parser pool that holds them: plain data. */
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
  /** Its part of the source. */
  seat: Share;
}

export interface ParserJob {
  parse: ParseJob;
  bulk: IngestJob['bulk'];
  /** Before each document, its line feed included. */
  actionLine: string;
  /** Phases as in the load. */
  warmupMs: number;
  measureMs: number | null;
  /** As in the load's target. */
  clockOffsetMs?: number;
  /** One place: number of the line that is being parsed. */
  progress: Int32Array;
}

/** The feeder: raw lines, each with its line feed; `first` is the number of the first one, from 1. */
export type FromFeeder = { kind: 'lines'; lines: PackedBatch; first: number } | { kind: 'end' };
/** A parser wants more lines; `spare` is memory for them. */
export interface ToFeeder {
  spare: PackedBatch | null;
}

/** What a parser, or a thread that reads documents, hands to a sender. */
export type FromRenderer =
  | { kind: 'bulk'; bulk: PackedBatch }
  | { kind: 'end' }
  /** It ends too early, after all that it handed over. */
  | { kind: 'broken'; problemKind: ProblemKind; problems: Problem[] };
/** A place is free again; `spare` is memory for the next bulk. */
export interface ToRenderer {
  spare: PackedBatch | null;
}

export type ToFeederThread = { kind: 'feed'; job: FeederJob; parsers: MessagePort[] } | { kind: 'stop' };

export type ToParserThread =
  | { kind: 'parse'; job: ParserJob; feeder: MessagePort; senders: MessagePort[] }
  /** Of the load; lines are parsed ahead of it. */
  | { kind: 'begin'; start: LoadStart }
  /** The measured phase has ended; ms since the start of the load. */
  | { kind: 'measured'; until: number }
  | { kind: 'stop' };

/** Counted by one parser over all phases. */
export interface ParserCounts {
  parsed: number;
  unparsed: number;
  waiting: number;
  documents: number;
  reasons: Record<string, number>;
  examples: LineExample[];
}

export type FromParserThread =
  /** Lines that were taken from the source, and those of them that no parser got. */
  | { kind: 'fed'; lines: number; kept: number }
  | { kind: 'parsed'; counts: ParserCounts; times: ParserTimes }
  | { kind: 'alive' }
  | { kind: 'failed'; problemKind: ProblemKind; problems: Problem[] };
