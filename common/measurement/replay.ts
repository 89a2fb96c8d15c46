/** What became of every line of a log that was replayed: none is lost silently. */

/** A line of the log that was not sent, for people. */
export interface LineExample {
  /** From 1. */
  line: number;
  reason: string;
  /** Its beginning. */
  text: string;
}

/**
 * Lines that are not blank, from the beginning of the load until its end, warm-up included. Each was one of
 * `sent`, `otherType`, `repeated`, `malformed`, `refused`, `unsent`, and they add up to `lines`.
 */
export interface ReplayAccount {
  lines: number;
  /** Sent to the target, whatever it answered. */
  sent: number;
  /** Left out: not of the types asked for, or of another log. */
  otherType: number;
  /** Left out: another shard or phase of a search that the slow log tells of elsewhere. */
  repeated: number;
  malformed: number;
  /** Not sent: of an old version without a rule for it, without an index, or without a time where it is paced by it. */
  refused: number;
  /** Read and not sent when the load ended. */
  unsent: number;
  /** Of `sent` and `unsent`: rewritten for today's Elasticsearch. */
  rewritten: number;
  /** Lines whose time is before that of an earlier one of the same load thread. */
  outOfOrder: number;
  /** Of these: further back than the log is read ahead, so sent as soon as they came. */
  late: number;
  /** Lines by the rule that rewrote them, and by what stood against sending them. */
  rules: Record<string, number>;
  refusals: Record<string, number>;
  /** The first ones, by line. */
  malformedExamples: LineExample[];
  refusedExamples: LineExample[];
}

/** So many examples of each kind are kept. */
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

/** Lines whose fate is told: equal to `lines`. */
export const accountedFor = (account: ReplayAccount): number =>
  account.sent + account.otherType + account.repeated + account.malformed + account.refused + account.unsent;

/** Adds `more` to `into`, in place; the examples with the lowest lines stay. */
export function addReplay(into: ReplayAccount, more: ReplayAccount): ReplayAccount {
  for (const key of Object.keys(into) as (keyof ReplayAccount)[]) {
    const own = into[key];
    const other = more[key];
    if (typeof own === 'number') (into[key] as number) = own + (other as number);
    else if (Array.isArray(own))
      (into[key] as LineExample[]) = [...own, ...(other as LineExample[])]
        .sort((a, b) => a.line - b.line)
        // Trials meet the same lines.
        .filter(({ line }, at, all) => line !== all[at - 1]?.line)
        .slice(0, MOST_EXAMPLES);
    else
      for (const [name, count] of Object.entries(other as Record<string, number>))
        own[name] = (own[name] ?? 0) + count;
  }
  return into;
}
