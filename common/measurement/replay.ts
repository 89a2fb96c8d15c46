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
  /** Lines sent to the target, whatever its answer. */
  sent: number;
  /** Lines left out because they are not of the requested types, or belong to another log. */
  otherType: number;
  /** Lines left out because another line of the slow log, for a different shard or phase, represents the same search. */
  repeated: number;
  malformed: number;
  /**
   * Lines that were not sent. Reasons: a construct of an old version that no rule can rewrite, no index, or no time although their pace
   * needs one.
   */
  refused: number;
  /** Lines read and not yet sent when the load ended. */
  unsent: number;
  /** Number of `sent` and `unsent` lines that were rewritten for the current version of Elasticsearch. */
  rewritten: number;
  /** Lines with a time before that of an earlier line of the same load thread. */
  outOfOrder: number;
  /** Out-of-order lines that are further back than the read-ahead, so that they were sent as soon as they were read. */
  late: number;
  /** Number of lines by the rule that rewrote them. */
  rules: Record<string, number>;
  /** Number of lines that were not sent, by reason. */
  refusals: Record<string, number>;
  /** The first malformed lines, sorted by line. */
  malformedExamples: LineExample[];
  refusedExamples: LineExample[];
}

/** Number of stored examples of each kind. */
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

/** Number of lines with a known outcome, which must equal `lines`. */
export const accountedFor = (account: ReplayAccount): number =>
  account.sent + account.otherType + account.repeated + account.malformed + account.refused + account.unsent;

/** Adds `more` to `into`, in place. Keeps the first examples by line. */
export function addReplay(into: ReplayAccount, more: ReplayAccount): ReplayAccount {
  for (const key of Object.keys(into) as (keyof ReplayAccount)[]) {
    const own = into[key];
    const other = more[key];
    if (typeof own === 'number') (into[key] as number) = own + (other as number);
    else if (Array.isArray(own))
      (into[key] as LineExample[]) = [...own, ...(other as LineExample[])]
        .sort((a, b) => a.line - b.line)
        // Duplicates are removed, because several trials read the same lines.
        .filter(({ line }, at, all) => line !== all[at - 1]?.line)
        .slice(0, MOST_EXAMPLES);
    else
      for (const [name, count] of Object.entries(other as Record<string, number>))
        own[name] = (own[name] ?? 0) + count;
  }
  return into;
}
