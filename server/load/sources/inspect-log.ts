/** Reads a log as a replay would, but sends nothing. Shows before a run what the log contains. */
import { noReplay, type ReplayAccount } from '../../../common/measurement/replay';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import type { SearchPart } from '../../../common/replay/formats/format';
import type { Judged, JudgedSearch, LogRules } from '../../../common/replay/judge';
import { SlowLogRepeats, type SlowLogEntries } from '../../../common/replay/slow-log-repeats';
import type { LogSource } from '../../../common/tasks/replay';
import { plural } from '../../../common/units/format';
import { judgeFound, noteLine, withRepeats } from './judged-line';
import { LineTooLong } from './lines';
import { LogEntries } from './log-entries';
import { checkLogReadable, logName, openLog } from './log-source';

/** Maximum number of types of searches that are counted by name. */
const MOST_TYPES = 100;
/** Lines are counted by shard only for shards with a number below this. */
const MOST_SHARDS = 1024;
/** Maximum number of pairs of an index and a number of shards for which lines are counted. */
const MOST_PARTS = 1000;
/** Number of entries that are read before the event loop can do other work. */
const AT_A_STRETCH = 500;

export interface LogFacts {
  /** Numbers of lines by outcome. Lines that a replay would send count as `sent`, so `late` and `unsent` are 0. */
  account: ReplayAccount;
  /** Number of readable lines, by type. */
  types: Record<string, number>;
  /** Earliest time of a search in the log that would be sent, in ms since the epoch. Null if no such search has a time. */
  first: number | null;
  /** Latest time of a search in the log that would be sent, in ms since the epoch. Null if no such search has a time. */
  last: number | null;
  /** Number of searches in the busiest second of the log. Only lines that would be sent count. */
  busiestSecond: number;
  /**
   * Minimum number of searches that the replay leaves out. A slow log has one line for each slow shard of a search. The replay sends a
   * search only for a line of shard 0, so it loses searches without such a line. The number is calculated from the shards with the most
   * lines.
   */
  lost: number;
  /**
   * A slow log may contain each search twice: in one entry per request, and in one entry per shard. Only one kind is sent.
   * `of`: the other kind. `count`: number of its entries. Null if the log has only one kind.
   */
  otherKind: { of: SlowLogEntries; count: number } | null;
  /** Whether the whole log was read. */
  ended: boolean;
}

/** Returns a sentence about searches that have no line of shard 0 in a slow log, with advice; '' if there are no such searches. */
export const lostNote = ({ lost }: LogFacts): string =>
  lost === 0
    ? ''
    : `at least ${plural(lost, 'search', 'searches')} left out, because a slow log has a line for each slow shard, and shard 0 of ` +
      'these was quick; record with a threshold of 0, or take each line as a search with everyShard (inspect --every-shard)';

const REQUESTS_ALONE = "grep -E 'c(luster)?[.]s(earch)?[.]r(equest)?[.]slowlog|querylog'";

/** Returns a sentence that names the kind of entries that is sent, and how to send the other kind; '' if the log has only one kind. */
export const otherKindNote = ({ otherKind }: LogFacts): string => {
  if (otherKind === null) return '';
  const { of, count } = otherKind;
  const sent = of === 'requests' ? 'shards' : 'requests';
  return (
    `${plural(count, 'entry', 'entries')} of ${of} left out, because the log has each search by request and by shard; ` +
    `those of ${sent} are sent, since one of them comes first; keep those of ${of} alone with: ${of === 'requests' ? REQUESTS_ALONE : REQUESTS_ALONE.replace('-E', '-vE')}`
  );
};

/**
 * Inspects a log. `most`: maximum number of lines that are read, without blank lines. `onSearch` receives each search that would be sent,
 * with the number of its line. Rejects with a DynoError that names the log if it cannot be read.
 */
export async function inspectLog(
  source: LogSource,
  rules: LogRules,
  most = Infinity,
  onSearch?: (search: JudgedSearch, line: number) => void,
): Promise<LogFacts> {
  await checkLogReadable(source);
  const lines = new LogEntries(openLog(source), rules.format);
  const file = logName(source);
  const inspection = new Inspection(rules, onSearch);
  let ended = false;
  try {
    for (let stretch = 0; inspection.facts.account.lines < most;) {
      const next = lines.next();
      if (next === 'ended') {
        ended = true;
        break;
      }
      if (next === 'none' || stretch === AT_A_STRETCH) {
        stretch = 0;
        await new Promise<void>((resolve) => {
          if (next === 'none') lines.whenMore(resolve);
          else setImmediate(resolve);
        });
        if (next === 'none') continue;
      }
      stretch += 1;
      inspection.meet(lines);
    }
  } catch (error) {
    if (error instanceof DynoError) throw error;
    throw error instanceof LineTooLong
      ? inputError('source.corrupt-line', `${file}:${lines.line}`, error.message)
      : inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  } finally {
    lines.close();
  }
  return { ...inspection.facts, lost: inspection.lost(), otherKind: inspection.otherKind(), ended };
}

interface LinesOfPart {
  part: SearchPart;
  /** Number of searches that would be sent because of these lines. */
  searches: number;
  /** For each shard except shard 0: number of lines. */
  byShard: Map<number, number>;
}

class Inspection {
  readonly facts: Omit<LogFacts, 'ended' | 'lost' | 'otherKind'> = {
    account: noReplay(),
    types: {},
    first: null,
    last: null,
    busiestSecond: 0,
  };
  private second = 0;
  private inSecond = 0;
  /** Lines of the query phase, for each index and each number of shards that searches read. */
  private readonly parts = new Map<string, LinesOfPart>();
  private readonly repeats: SlowLogRepeats;
  private ofOther = 0;

  constructor(
    private readonly rules: LogRules,
    private readonly onSearch: ((search: JudgedSearch, line: number) => void) | undefined,
  ) {
    this.repeats = new SlowLogRepeats(rules);
  }

  meet(lines: LogEntries): void {
    const line = withRepeats(judgeFound(lines, this.rules), this.repeats);
    const { judged } = line;
    noteLine(this.facts.account, line);
    if (judged.kind === 'repeated' && judged.ofOther !== undefined) this.ofOther += 1;
    if ('part' in judged && judged.part !== undefined) this.countPart(judged.part, judged);
    if ('type' in judged) this.countType(judged.type);
    if (judged.kind !== 'search') return;
    this.facts.account.sent += 1;
    this.onSearch?.(judged, line.number);
    if (judged.time !== null) this.time(judged.time);
  }

  lost(): number {
    const { lines, repeated, sent } = this.facts.account;
    // A search has at most one line for each shard of an index. Searches of several indices are found by a line of any of them.
    const groups = new Map<string, { searches: number; most: number }>();
    for (const [key, { part, searches, byShard }] of this.parts) {
      const group = this.repeats.readsOneIndex(part) ? key : `${part.shards}`;
      const found = groups.get(group) ?? { searches: 0, most: 0 };
      found.searches += searches;
      found.most = Math.max(found.most, ...byShard.values());
      groups.set(group, found);
    }
    const lost = [...groups.values()].reduce(
      (sum, { searches, most }) => sum + Math.max(0, most - searches),
      0,
    );
    // Lines that cannot be sent may be lines of shard 0.
    return Math.max(0, lost - (lines - repeated - sent));
  }

  otherKind(): LogFacts['otherKind'] {
    if (this.ofOther === 0) return null;
    return { of: this.repeats.chosen === 'requests' ? 'shards' : 'requests', count: this.ofOther };
  }

  private countPart(part: SearchPart, judged: Judged): void {
    const key = `${part.shards} ${part.index ?? ''}`;
    const lines = this.parts.get(key) ?? { part, searches: 0, byShard: new Map<number, number>() };
    if (this.parts.size < MOST_PARTS) this.parts.set(key, lines);
    if (judged.kind === 'search') lines.searches += 1;
    else if (judged.kind === 'repeated' && judged.shard !== undefined && judged.shard < MOST_SHARDS)
      lines.byShard.set(judged.shard, (lines.byShard.get(judged.shard) ?? 0) + 1);
  }

  private countType(type: string): void {
    const { types } = this.facts;
    const name = type in types || Object.keys(types).length < MOST_TYPES ? type : '…';
    types[name] = (types[name] ?? 0) + 1;
  }

  private time(time: number): void {
    const { facts } = this;
    if (facts.last !== null && time < facts.last) facts.account.outOfOrder += 1;
    facts.first = Math.min(facts.first ?? time, time);
    facts.last = Math.max(facts.last ?? time, time);
    const second = Math.floor(time / 1000);
    // Ignores the few lines that are out of order: they belong to an earlier second, which has already been counted.
    if (second > this.second) {
      this.second = second;
      this.inSecond = 0;
    }
    this.inSecond += 1;
    facts.busiestSecond = Math.max(facts.busiestSecond, this.inSecond);
  }
}
