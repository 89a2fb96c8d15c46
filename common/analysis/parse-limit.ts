/**
 * Determines whether parsing or indexing was the bottleneck of a task that parses raw lines. It was parsing if clients waited for parsed
 * lines, and indexing if parsers waited because their output queue was full.
 */
import type { ParserFigures, ParseSummary } from '../measurement/parse';
import { formatPercent, plural } from '../units/format';

export interface ParseLimit {
  name: 'parsing' | 'indexing' | 'undecided';
  /** Explanation of the result, as a sentence without a full stop. */
  why: string;
}

/**
 * Number of documents that all nodes of the target indexed in the measured phase, in primary and replica shards. `timeMs`: time that the
 * nodes spent on indexing, in ms, summed over threads.
 */
export interface IndexTime {
  documents: number;
  timeMs: number;
}

/**
 * Parsers that are busy for at least this share of the time count as the bottleneck. The share is below 1, because even parsers that are
 * the bottleneck are not always busy.
 */
export const PARSERS_BUSY_FROM = 0.85;
/** Share of the time spent waiting from which the wait matters. It equals the default margin of comparisons. */
export const NOTABLE_WAIT = 0.05;

/**
 * Returns how parsers and clients spent their time, as shares in [0, 1]. Parsers are busy, blocked by a full output queue, or hungry
 * (waiting for lines of the source). Null if nothing was parsed or sent.
 */
export function parserShares({ times, senders }: ParserFigures): {
  busy: number;
  blocked: number;
  hungry: number;
  /** Share of the clients' time that clients spent waiting for parsed lines. */
  waited: number;
} | null {
  const { elapsedMs, busyMs, blockedMs, hungryMs } = times;
  if (elapsedMs <= 0 || senders.occupiedMs <= 0) return null;
  return {
    busy: busyMs / elapsedMs,
    blocked: blockedMs / elapsedMs,
    hungry: hungryMs / elapsedMs,
    waited: senders.waitedMs / senders.occupiedMs,
  };
}

/** Returns the CPU time per line in µs. Returns the elapsed time per line if the system does not report CPU times. Null without lines. */
export const microsecondsPerLine = ({ lines, cpuMs, busyMs }: ParserFigures['times']): number | null =>
  lines === 0 ? null : ((cpuMs ?? busyMs) * 1000) / lines;

export const parseLimit = (summary: ParseSummary, indexing: IndexTime | null): ParseLimit =>
  summary.by === 'workers' ? limitOfParsers(summary.parsers) : limitOfPipeline(summary, indexing);

function limitOfParsers(parsers: ParserFigures): ParseLimit {
  const shares = parserShares(parsers);
  if (shares === null) return { name: 'undecided', why: 'nothing was parsed or sent in the measured phase' };
  const { busy, blocked, hungry, waited } = shares;
  const who = plural(parsers.workers, 'parser');
  const waiting = `clients waited for parsed documents for ${formatPercent(waited)} of their time`;
  if (busy >= PARSERS_BUSY_FROM && waited >= NOTABLE_WAIT)
    return { name: 'parsing', why: `${who} busy for ${formatPercent(busy)} of the time; ${waiting}` };
  if (blocked >= NOTABLE_WAIT && waited < NOTABLE_WAIT)
    return {
      name: 'indexing',
      why: `${who} held up by a full queue for ${formatPercent(blocked)} of the time; ${waiting}`,
    };
  const source =
    hungry >= NOTABLE_WAIT ? `, waiting for lines of the source for ${formatPercent(hungry)}` : '';
  return {
    name: 'undecided',
    why: `${who} busy for ${formatPercent(busy)} of the time, held up for ${formatPercent(blocked)}${source}; ${waiting}`,
  };
}

/**
 * Describes how the target divides its time between parsing in an ingest pipeline and indexing. The bottleneck is always undecided, because
 * the same threads parse and index: neither task waits for the other.
 */
function limitOfPipeline(
  { pipeline }: Extract<ParseSummary, { by: 'pipeline' }>,
  indexing: IndexTime | null,
): ParseLimit {
  if (pipeline === null || indexing === null || pipeline.timeMs + indexing.timeMs === 0)
    return { name: 'undecided', why: 'the target does not report how long it parsed and indexed' };
  const share = pipeline.timeMs / (pipeline.timeMs + indexing.timeMs);
  return {
    name: 'undecided',
    why: `the same nodes parse and index: ${formatPercent(share)} of that time was parsing. See the cluster for the resource that was the limit`,
  };
}
