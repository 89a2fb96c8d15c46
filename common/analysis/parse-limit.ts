/** Whether parsing or indexing was the limit of a task whose raw lines are parsed, by who waited for whom. */
import type { ParserFigures, ParseSummary } from '../measurement/parse';
import { formatPercent, plural } from '../units/format';

export interface ParseLimit {
  name: 'parsing' | 'indexing' | 'undecided';
  /** In a sentence without its end. */
  why: string;
}

/** What the target's nodes spent on indexing, all copies, over the measured phase. */
export interface IndexTime {
  documents: number;
  timeMs: number;
}

/** Parsers that are busy for this share of the time have none left: the mean over minutes hides full seconds. */
export const PARSERS_BUSY_FROM = 0.85;
/** Waiting for a smaller share of the time is none: what a comparison would notice (the default margin). */
export const NOTABLE_WAIT = 0.05;

/** Shares in [0, 1] of the measured phase; null where nothing of it was seen. */
export function parserShares({ times, senders }: ParserFigures): {
  busy: number;
  blocked: number;
  hungry: number;
  /** Of the clients' time. */
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

/** CPU time per line, or time by the clock where the system does not tell, µs; null without a line. */
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

/** Threads of the target do both: their time says which costs more, and neither waits for the other. */
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
