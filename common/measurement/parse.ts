/** Counts and times of raw lines that were parsed before they were indexed. */
import type { LineExample } from './replay';

/** Counts of non-blank lines over all phases: `lines = parsed + unparsed + waiting`. */
export interface ParseAccount {
  /** Lines read from the source. */
  lines: number;
  /** Lines that matched a pattern and had only valid fields. */
  parsed: number;
  /** Lines that could not be parsed. The definition decides whether they were stored with a tag or left out. */
  unparsed: number;
  /** Lines that were read from the source, but not parsed by the end of the load. */
  waiting: number;
  /** Documents made from the lines. Unparsed lines that were left out do not count. */
  documents: number;
  /** Number of documents that were made from lines, but never sent because the load ended first. */
  unsent: number;
  /** Unparsed lines by reason: `no-match`, `wrong-type`, `wrong-time`. */
  reasons: Record<string, number>;
  /** The first unparsed lines of each parser, sorted by line. */
  examples: LineExample[];
}

/**
 * Times of Dyno's parser threads in the measured phase, summed over the threads. `elapsedMs` is the sum of the three times in which a
 * thread parses (`busyMs`) and waits (`blockedMs`, `hungryMs`).
 */
export interface ParserTimes {
  /** Number of lines that the parsers processed, with or without success. */
  lines: number;
  elapsedMs: number;
  /**
   * Time in which the threads parsed lines and wrote documents, in ms. If there are more threads than cores, it includes waiting for a
   * core.
   */
  busyMs: number;
  /** CPU time of the threads while they parsed, in ms; null if the system does not report it. */
  cpuMs: number | null;
  /** Time in which the threads waited because the clients had not yet taken the documents that were parsed before, in ms. */
  blockedMs: number;
  /** Time in which the threads waited for lines from the source, in ms. */
  hungryMs: number;
  /** Longest time for one line, in ms. */
  slowestLineMs: number;
}

/** Times of the clients that send bulk requests, in the measured phase, summed over clients. */
export interface SenderTimes {
  /** Time in ms from the moment when a client needed documents for a bulk request until the request was answered. */
  occupiedMs: number;
  /** Part of `occupiedMs` in which the clients waited for documents from the parser threads, in ms. */
  waitedMs: number;
}

/** The target's statistics of the ingest pipeline that Dyno created for the trial, over the measured phase and all nodes. */
export interface PipelineTimes {
  documents: number;
  timeMs: number;
  /** Documents for which the whole pipeline failed. */
  failed: number;
  /** Number of lines that the patterns of the pipeline did not match; null if the nodes report no statistics of single processors. */
  unparsed: number | null;
}

export interface ParserFigures {
  /** Number of parser threads. */
  workers: number;
  account: ParseAccount;
  times: ParserTimes;
  senders: SenderTimes;
}

/**
 * Results of parsing, by Dyno's own parsers or by an ingest pipeline of the target. `pipeline` is null if the target did not report the
 * statistics of its pipeline.
 */
export type ParseSummary =
  | { by: 'workers'; parsers: ParserFigures }
  | { by: 'pipeline'; pipeline: PipelineTimes | null };

/** Returns the number of lines with a known outcome. It must equal `lines`. */
export const accountedLines = ({ parsed, unparsed, waiting }: ParseAccount): number =>
  parsed + unparsed + waiting;

/** Number of unparsed lines; null if no lines are parsed, or the target does not report it. */
export function unparsedLines(summary: ParseSummary | null | undefined): number | null {
  if (!summary) return null;
  if (summary.by === 'workers') {
    const { lines, unparsed } = summary.parsers.account;
    return lines === 0 ? null : unparsed;
  }
  return summary.pipeline?.documents ? summary.pipeline.unparsed : null;
}

export const noParseAccount = (): ParseAccount => ({
  lines: 0,
  parsed: 0,
  unparsed: 0,
  waiting: 0,
  documents: 0,
  unsent: 0,
  reasons: {},
  examples: [],
});

export const noParserTimes = (): ParserTimes => ({
  lines: 0,
  elapsedMs: 0,
  busyMs: 0,
  cpuMs: 0,
  blockedMs: 0,
  hungryMs: 0,
  slowestLineMs: 0,
});

/** Number of stored examples of unparsed lines. */
export const MOST_UNPARSED = 5;

/** Adds `more` to `into`, in place, and returns `into`. It contains the examples with the lowest line numbers of both, up to the limit. */
export function addParseAccount(into: ParseAccount, more: ParseAccount): ParseAccount {
  for (const key of ['lines', 'parsed', 'unparsed', 'waiting', 'documents', 'unsent'] as const)
    into[key] += more[key];
  for (const [reason, count] of Object.entries(more.reasons))
    into.reasons[reason] = (into.reasons[reason] ?? 0) + count;
  into.examples = [...into.examples, ...more.examples]
    .sort((a, b) => a.line - b.line)
    // Several trials read the same lines, so the same example may occur more than once.
    .filter(({ line, text }, at, all) => line !== all[at - 1]?.line || text !== all[at - 1]?.text)
    .slice(0, MOST_UNPARSED);
  return into;
}

/** Adds the times in `more` to those in `into`, and returns `into`. */
export function addParserTimes(into: ParserTimes, more: ParserTimes): ParserTimes {
  for (const key of ['lines', 'elapsedMs', 'busyMs', 'blockedMs', 'hungryMs'] as const)
    into[key] += more[key];
  into.cpuMs = into.cpuMs === null || more.cpuMs === null ? null : into.cpuMs + more.cpuMs;
  into.slowestLineMs = Math.max(into.slowestLineMs, more.slowestLineMs);
  return into;
}

/**
 * Sums up the results of several trials. Returns null if `parts` is empty. The statistics of the pipeline are null if one trial lacks them.
 */
export function sumParsing(parts: readonly ParseSummary[]): ParseSummary | null {
  const [first] = parts;
  if (first === undefined) return null;
  if (first.by === 'workers') {
    const own = parts.flatMap((part) => (part.by === 'workers' ? [part.parsers] : []));
    return {
      by: 'workers',
      parsers: {
        workers: first.parsers.workers,
        account: own.reduce((sum, { account }) => addParseAccount(sum, account), noParseAccount()),
        times: own.reduce((sum, { times }) => addParserTimes(sum, times), noParserTimes()),
        senders: own.reduce((sum, { senders }) => addSenderTimes(sum, senders), {
          occupiedMs: 0,
          waitedMs: 0,
        }),
      },
    };
  }
  const reported = parts.flatMap((part) => (part.by === 'pipeline' && part.pipeline ? [part.pipeline] : []));
  if (reported.length < parts.length) return { by: 'pipeline', pipeline: null };
  const sum = (key: 'documents' | 'timeMs' | 'failed'): number =>
    reported.reduce((total, one) => total + one[key], 0);
  const unparsed = reported.flatMap((one) => one.unparsed ?? []);
  return {
    by: 'pipeline',
    pipeline: {
      documents: sum('documents'),
      timeMs: sum('timeMs'),
      failed: sum('failed'),
      unparsed: unparsed.length < reported.length ? null : unparsed.reduce((total, one) => total + one, 0),
    },
  };
}

export function addSenderTimes(into: SenderTimes, more: SenderTimes): SenderTimes {
  into.occupiedMs += more.occupiedMs;
  into.waitedMs += more.waitedMs;
  return into;
}
