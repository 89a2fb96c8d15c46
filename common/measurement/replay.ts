/** Outcomes of every line of a replayed log. Each line is counted once, so no line is lost silently. */

/** A line of the log that was not sent, for display. */
export interface LineExample {
  /** Line number, from 1. */
  line: number;
  reason: string;
  /** Beginning of the line. */
  text: string;
}

/**
 * Counts of non-blank lines over the whole load, warm-up included. `sent`, `otherType`, `repeated`, `malformed`, `refused` and
 * `unsent` add up to `lines`.
 */
export interface ReplayAccount {
  lines: number;
  /** Number of lines that were sent to the target, whether it accepted them or not. */
  sent: number;
  /**
   * Number of lines that were left out because the definition excludes their type, or because they are lines of another log in the same
   * file.
   */
  otherType: number;
  /**
   * Number of lines that were left out because another line represents the same search. A slow log can have a line for each shard and phase
   * of a search.
   */
  repeated: number;
  malformed: number;
  /**
   * Number of lines that could not be sent. They contain syntax of an old version that no rule can rewrite, lack an index, or lack a time
   * although the replay needs one.
   */
  refused: number;
  /** Number of lines that were read, but not sent by the end of the load. */
  unsent: number;
  /** Number of lines, sent or unsent, that were rewritten for the current version of Elasticsearch. */
  rewritten: number;
  /** Number of lines whose time is before that of an earlier line, within the lines of one load thread. */
  outOfOrder: number;
  /**
   * Number of out-of-order lines that could not be sorted, because lines with a much later time had been read before. They were sent as
   * soon as they were read.
   */
  late: number;
  /**
   * Number of lines that each rule rewrote. The rules replace syntax of older versions of Elasticsearch; the key is the name of the rule.
   */
  rules: Record<string, number>;
  /** Number of lines that could not be sent; the key is the reason. */
  refusals: Record<string, number>;
  /** The first malformed lines, sorted by line. */
  malformedExamples: LineExample[];
  refusedExamples: LineExample[];
}

/** Maximum number of stored examples of malformed lines, and of refused lines. */
export const MOST_EXAMPLES = 5;
const LONGEST_TEXT = 120;

export const noReplay = (): ReplayAccount => ({
  lines: 0,
  sent: 0,
  otherType: 0,
  repeated: 0,
  malformed: 0,
  refused: 0,
  unsent: 0,
  rewritten: 0,
  outOfOrder: 0,
  late: 0,
  rules: {},
  refusals: {},
  malformedExamples: [],
  refusedExamples: [],
});

export const lineExample = (line: number, reason: string, text: string): LineExample => ({
  line,
  reason: reason.slice(0, LONGEST_TEXT),
  text: text.slice(0, LONGEST_TEXT),
});

/** Returns the number of lines with a known outcome. It must equal `lines`. */
export const accountedFor = (account: ReplayAccount): number =>
  account.sent + account.otherType + account.repeated + account.malformed + account.refused + account.unsent;

/** Adds `more` to `into`, in place, and returns `into`. It contains the examples with the lowest line numbers of both, up to the limit. */
export function addReplay(into: ReplayAccount, more: ReplayAccount): ReplayAccount {
  for (const key of Object.keys(into) as (keyof ReplayAccount)[]) {
    const own = into[key];
    const other = more[key];
    if (typeof own === 'number') (into[key] as number) = own + (other as number);
    else if (Array.isArray(own))
      (into[key] as LineExample[]) = [...own, ...(other as LineExample[])]
        .sort((a, b) => a.line - b.line)
        // Several trials read the same lines, so the same example may occur more than once.
        .filter(({ line }, at, all) => line !== all[at - 1]?.line)
        .slice(0, MOST_EXAMPLES);
    else
      for (const [name, count] of Object.entries(other as Record<string, number>))
        own[name] = (own[name] ?? 0) + count;
  }
  return into;
}
