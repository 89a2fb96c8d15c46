/**
 * Plans and judges one check of a rule. A check covers the newest window of the rule, and earlier windows whose results were stored late.
 * The functions are pure.
 */
import {
  evaluate,
  isWorse,
  type BlindGroups,
  type Judgement,
  type Remembered,
  type RuleState,
  type Verdict,
} from './evaluate';
import type { TimeWindow, WindowFigures } from './figures';
import { windowMs, type RejectionParams } from './params';

/** Maximum number of earlier windows that one check judges. Each window needs a search. */
const MOST_MISSED = 12;
/** Results that were stored more than this time after their window, in ms, are not judged. */
const LONGEST_MS = 24 * 3_600_000;

/** Returns the groups that had incomplete data at the last check and have complete data now. */
const seeAgain = (before: RuleState | undefined, blind: BlindGroups): [group: string, since: number][] =>
  Object.entries(before?.blindSince ?? {}).filter(([group]) => !blind.has(group));

/**
 * Returns the windows to read for a check that ends at `now` (in ms since the epoch), the oldest first. The last window is the newest
 * window of the rule. The earlier windows have the same length, or are longer if their number would otherwise exceed {@link MOST_MISSED}.
 */
export function windowsOfCheck(
  params: Pick<RejectionParams, 'window'>,
  before: RuleState | undefined,
  now: number,
  blind: BlindGroups,
): TimeWindow[] {
  const length = windowMs(params);
  const own = { from: now - length, to: now };
  const since = Math.min(own.from, ...seeAgain(before, blind).map(([, at]) => at));
  const missed = own.from - Math.max(since, now - LONGEST_MS);
  const count = Math.min(MOST_MISSED, Math.ceil(missed / length));
  const each = Math.max(length, missed / count);
  return [
    ...Array.from({ length: count }, (_, at) => {
      const to = own.from - (count - 1 - at) * each;
      return { from: to - each, to };
    }),
    own,
  ];
}

/**
 * Judges the results of the windows from {@link windowsOfCheck}. A group whose data was incomplete and is now complete is judged once by
 * the worst of its windows, because its rejections during the gap would otherwise never be reported.
 */
export function judgeCheck(
  params: RejectionParams,
  windows: readonly TimeWindow[],
  found: readonly (readonly WindowFigures[])[],
  before: RuleState | undefined,
  blind: BlindGroups,
): Verdict {
  const again = new Set(seeAgain(before, blind).map(([group]) => group));
  const worst = new Map<string, Judgement>();
  const groups: Record<string, Remembered> = { ...before?.groups };
  windows.slice(0, -1).forEach((window, at) => {
    const figures = (found[at] ?? []).filter(({ group }) => again.has(group));
    for (const judgement of evaluate(params, figures, { groups }, window.to).judgements) {
      const { group, name, level } = judgement;
      if (judgement.figures === null) continue;
      groups[group] = { name, level, seen: window.to, judged: window.to };
      if (isWorse(level, worst.get(group)?.level ?? 'ok')) worst.set(group, { ...judgement, at: window });
    }
  });
  const last = evaluate(
    params,
    found.at(-1) ?? [],
    before && { ...before, groups },
    windows.at(-1)!.to,
    blind,
  );
  return withWorst(last, worst, before?.groups ?? {});
}

/**
 * Adds the judgement of the worst window to the result, and the level of this judgement to the state. `was`: the level before all windows.
 */
function withWorst(
  { judgements, state }: Verdict,
  worst: ReadonlyMap<string, Judgement>,
  before: RuleState['groups'],
): Verdict {
  const groups = { ...state.groups };
  const reported = judgements.map((judgement): Judgement => {
    const { group, name } = judgement;
    const earlier = worst.get(group);
    const was = before[group]?.level ?? 'ok';
    if (earlier === undefined || !isWorse(earlier.level, judgement.level)) return { ...judgement, was };
    const now = earlier.at!.to;
    groups[group] = { ...(groups[group] ?? { name, seen: now, judged: now }), level: earlier.level };
    return { ...earlier, was };
  });
  return { judgements: reported, state: { ...state, groups } };
}
