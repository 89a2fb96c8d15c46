/** One look of a rule: its window, and before it those that could not be judged in time, for their results waited. Pure. */
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

/** Windows that are judged later: each is read from the results by itself. */
const MOST_MISSED = 12;
/** Of what waited for longer nobody is told any more, ms. */
const LONGEST_MS = 24 * 3_600_000;

/** Groups that were blind at the last look and see again. */
const seeAgain = (before: RuleState | undefined, blind: BlindGroups): [group: string, since: number][] =>
  Object.entries(before?.blindSince ?? {}).filter(([group]) => !blind.has(group));

/**
 * What a look that ends at `now` (ms since the epoch) has to read, the oldest first; the last is the rule's own window. The
 * windows before it are as long, or longer where there would be too many.
 */
export function windowsOfLook(
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
 * Judges what was found in the windows of {@link windowsOfLook}. Of a group that sees again the worst window is told, once:
 * what it did while nobody could see it would be forgotten otherwise.
 */
export function judgeLook(
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

/** The level is told, and remembered, as that of the worst window; what it was is the level before all of them. */
function withWorst(
  { judgements, state }: Verdict,
  worst: ReadonlyMap<string, Judgement>,
  before: RuleState['groups'],
): Verdict {
  const groups = { ...state.groups };
  const told = judgements.map((judgement): Judgement => {
    const { group, name } = judgement;
    const earlier = worst.get(group);
    const was = before[group]?.level ?? 'ok';
    if (earlier === undefined || !isWorse(earlier.level, judgement.level)) return { ...judgement, was };
    const now = earlier.at!.to;
    groups[group] = { ...(groups[group] ?? { name, seen: now, judged: now }), level: earlier.level };
    return { ...earlier, was };
  });
  return { judgements: told, state: { ...state, groups } };
}
