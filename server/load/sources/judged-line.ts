/** Decides for each line of a log whether it is sent, skipped or invalid, and counts the results. */
import { invalidUtf8 } from '../../../common/files/bytes';
import {
  lineExample,
  MOST_EXAMPLES,
  type LineExample,
  type ReplayAccount,
} from '../../../common/measurement/replay';
import { judgeLine, type Judged, type LogRules } from '../../../common/replay/judge';
import type { SlowLogRepeats } from '../../../common/replay/slow-log-repeats';
import type { LogEntries } from './log-entries';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export interface JudgedLine {
  judged: Judged;
  /** Line number, from 1. */
  number: number;
  text: string;
}

/**
 * Decides what the replay does with the current entry of a log: send it, skip it, or report it as invalid. `rules`: format of the log, and
 * which searches are sent.
 */
export function judgeFound({ bytes, start, end, number }: LogEntries, rules: LogRules): JudgedLine {
  const line = bytes.subarray(start, end);
  let text: string;
  try {
    text = UTF8.decode(line);
  } catch {
    // If invalid bytes were replaced, the line would contain another search.
    const reason = `is not UTF-8 (byte ${invalidUtf8(line)!.byte}); if it is Latin-1, convert the file with iconv -f WINDOWS-1252 -t UTF-8`;
    return { judged: { kind: 'malformed', reason }, number, text: line.toString('utf8') };
  }
  return { judged: judgeLine(text, rules), number, text };
}

/** Returns the line unchanged if it is the first one about its search. Otherwise, marks it as a repetition, which is not sent. */
export function withRepeats(line: JudgedLine, repeats: SlowLogRepeats): JudgedLine {
  const { judged, text } = line;
  const repetition = repeats.repeats(text, judged, judged.kind === 'search' ? judged.body : '');
  return repetition === null ? line : { ...line, judged: repetition };
}

/** Counts a line by what is done with it. A line that should be sent is not counted here, but when it is sent. */
export function noteLine(account: ReplayAccount, { judged, number, text }: JudgedLine): void {
  account.lines += 1;
  switch (judged.kind) {
    case 'repeated':
    case 'otherType':
      account[judged.kind] += 1;
      return;
    case 'malformed':
      account.malformed += 1;
      keepExample(account.malformedExamples, number, judged.reason, text);
      return;
    case 'refused':
      account.refused += 1;
      for (const why of judged.whys) account.refusals[why] = (account.refusals[why] ?? 0) + 1;
      keepExample(account.refusedExamples, number, judged.reason, text);
      return;
    case 'search':
      if (judged.rewritten.length > 0) account.rewritten += 1;
      for (const rule of judged.rewritten) account.rules[rule] = (account.rules[rule] ?? 0) + 1;
  }
}

function keepExample(examples: LineExample[], number: number, reason: string, text: string): void {
  if (examples.length < MOST_EXAMPLES) examples.push(lineExample(number, reason, text));
}
