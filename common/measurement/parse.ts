/** What became of raw lines that were parsed before they were indexed, and whose time it took. */
import type { LineExample } from './replay';

/** Lines that are not blank, over all phases: `lines = parsed + unparsed + waiting`. */
export interface ParseAccount {
  /** Taken from the source. */
  lines: number;
  /** A pattern matched, and every field of it could be read. */
  parsed: number;
  /** Stored with a tag or left out, as the definition says. */
  unparsed: number;
  /** Taken from the source and not looked at when the load ended. */
  waiting: number;
  /** Made of lines; those that were unparsed and left out are not among them. */
  documents: number;
  /** Of these: never sent, for the load had ended. */
  unsent: number;
  /** Unparsed lines by why: `no-match`, `wrong-type`, `wrong-time`. */
  reasons: Record<string, number>;
  /** The first unparsed ones of each parser, by line. */
  examples: LineExample[];
}

/** How parsers passed the measured phase: `busyMs + blockedMs + hungryMs = elapsedMs`, summed over them. */
export interface ParserTimes {
  /** Lines that were parsed or found unparsed in it. */
  lines: number;
  elapsedMs: number;
  /** Parsing and rendering, by the clock: where threads share cores, waiting for one is in it. */
  busyMs: number;
  /** CPU time of the threads while they parsed; null where the system does not tell. */
  cpuMs: number | null;
  /** Waiting for a place in the full queue to the senders. */
  blockedMs: number;
  /** Waiting for lines from the source. */
  hungryMs: number;
  /** Longest time for one line. */
  slowestLineMs: number;
}

/** Client time of the measured phase, summed over clients. */
export interface SenderTimes {
  /** From the moment that a client wanted a bulk until it was answered. */
  occupiedMs: number;
  /** Of this: waiting for parsed documents. */
  waitedMs: number;
}

/** What the target's ingest statistics tell of a trial's own pipeline, over the measured phase and all nodes. */
export interface PipelineTimes {
  documents: number;
  timeMs: number;
  /** Documents that failed in the pipeline as a whole. */
  failed: number;
  /** Lines that its patterns did not match; null where the nodes do not tell of single processors. */
  unparsed: number | null;
}

export interface ParserFigures {
  /** Threads. */
  workers: number;
  account: ParseAccount;
  times: ParserTimes;
  senders: SenderTimes;
}

/** Exactly one is there. Null `pipeline` figures: the target did not tell. */
export type ParseSummary =
  | { by: 'workers'; parsers: ParserFigures }
  | { by: 'pipeline'; pipeline: PipelineTimes | null };

/** Lines whose fate is told: equal to `lines`. */
export const accountedLines = ({ parsed, unparsed, waiting }: ParseAccount): number =>
  parsed + unparsed + waiting;

/** Null where no lines are parsed, or the target does not tell. */
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

/** So many examples are kept. */
export const MOST_UNPARSED = 5;

/** Adds `more` to `into`, in place. */
export function addParseAccount(into: ParseAccount, more: ParseAccount): ParseAccount {
  for (const key of ['lines', 'parsed', 'unparsed', 'waiting', 'documents', 'unsent'] as const)
    into[key] += more[key];
  for (const [reason, count] of Object.entries(more.reasons))
    into.reasons[reason] = (into.reasons[reason] ?? 0) + count;
  into.examples = [...into.examples, ...more.examples]
    .sort((a, b) => a.line - b.line)
    // Trials meet the same lines.
    .filter(({ line, text }, at, all) => line !== all[at - 1]?.line || text !== all[at - 1]?.text)
    .slice(0, MOST_UNPARSED);
  return into;
}

/** Adds `more` to `into`, in place. */
export function addParserTimes(into: ParserTimes, more: ParserTimes): ParserTimes {
  for (const key of ['lines', 'elapsedMs', 'busyMs', 'blockedMs', 'hungryMs'] as const)
    into[key] += more[key];
  into.cpuMs = into.cpuMs === null || more.cpuMs === null ? null : into.cpuMs + more.cpuMs;
  into.slowestLineMs = Math.max(into.slowestLineMs, more.slowestLineMs);
  return into;
}

/** Over several trials; null without any. Pipelines of which one was not told of are not told of. */
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
  const told = parts.flatMap((part) => (part.by === 'pipeline' && part.pipeline ? [part.pipeline] : []));
  if (told.length < parts.length) return { by: 'pipeline', pipeline: null };
  const sum = (key: 'documents' | 'timeMs' | 'failed'): number =>
    told.reduce((total, one) => total + one[key], 0);
  const unparsed = told.flatMap((one) => one.unparsed ?? []);
  return {
    by: 'pipeline',
    pipeline: {
      documents: sum('documents'),
      timeMs: sum('timeMs'),
      failed: sum('failed'),
      unparsed: unparsed.length < told.length ? null : unparsed.reduce((total, one) => total + one, 0),
    },
  };
}

export function addSenderTimes(into: SenderTimes, more: SenderTimes): SenderTimes {
  into.occupiedMs += more.occupiedMs;
  into.waitedMs += more.waitedMs;
  return into;
}
