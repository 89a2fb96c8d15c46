/** Reads a recorded log as a replay would, without sending anything: what is in it, before a run relies on it. */
import { noReplay, type ReplayAccount } from '../../../common/measurement/replay';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import type { LogRules } from '../../../common/replay/judge';
import type { LogSource } from '../../../common/tasks/replay';
import { judgeFound, noteLine } from './judged-line';
import { LineTooLong } from './lines';
import { LogEntries } from './log-entries';
import { checkLogReadable, logName, openLog } from './log-source';

/** Types are counted by name up to so many. */
const MOST_TYPES = 100;
/** Lines between two turns of the event loop. */
const AT_A_STRETCH = 500;

export interface LogFacts {
  /** `sent` are those that would be sent; `late` and `unsent` are 0. */
  account: ReplayAccount;
  /** Lines by type, of those that can be read. */
  types: Record<string, number>;
  /** Of the lines that would be sent, ms since the epoch; null where none has a time. */
  first: number | null;
  last: number | null;
  /** Most of them in one second of the log. */
  busiestSecond: number;
  /** Whole: false when the log goes on behind what was read. */
  ended: boolean;
}

/** `most`: lines that are not blank to look at. Throws a DynoError (input) that names the log when it cannot be read. */
export async function inspectLog(source: LogSource, rules: LogRules, most = Infinity): Promise<LogFacts> {
  await checkLogReadable(source);
  const lines = new LogEntries(openLog(source), rules.format);
  const file = logName(source);
  const inspection = new Inspection(rules);
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
  return { ...inspection.facts, ended };
}

class Inspection {
  readonly facts: Omit<LogFacts, 'ended'> = {
    account: noReplay(),
    types: {},
    first: null,
    last: null,
    busiestSecond: 0,
  };
  private second = 0;
  private inSecond = 0;

  constructor(private readonly rules: LogRules) {}

  meet(lines: LogEntries): void {
    const line = judgeFound(lines, this.rules);
    const { judged } = line;
    noteLine(this.facts.account, line);
    if ('type' in judged) this.countType(judged.type);
    if (judged.kind !== 'search') return;
    this.facts.account.sent += 1;
    if (judged.time !== null) this.time(judged.time);
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
    // Lines that are out of order are few; they would make a second begin again.
    if (second > this.second) {
      this.second = second;
      this.inSecond = 0;
    }
    this.inSecond += 1;
    facts.busiestSecond = Math.max(facts.busiestSecond, this.inSecond);
  }
}
