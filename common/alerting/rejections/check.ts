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
/** Maximum age of data that a check still judges, in ms. Samples that were stored later than this are not judged. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * Returns the groups whose data was incomplete at the last check and is complete now. `since`: start of the incomplete data, in ms since
 * the epoch.
 */
const seeAgain = (before: RuleState | undefined, blind: BlindGroups): [group: string, since: number][] =>
  Object.entries(before?.blindSince ?? {}).filter(([group]) => !blind.has(group));

/**
 * Returns the windows to read for a check at `now` (in ms since the epoch), the oldest first. The last window is the newest window of the
 * rule. Earlier windows cover the time for which data was incomplete at the last check. They are as long as the newest window, or longer if
 * there would otherwise be more than {@link MOST_MISSED} of them.
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
 * Judges the data of the windows from {@link windowsOfCheck}. For a group whose missing data has arrived since the last check, the earlier
 * windows are judged too. If an earlier window has a worse level than the newest, the check reports the worst window.
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
 * Replaces the judgement of the newest window by that of an earlier window if the level of the earlier window is worse. The state gets the
 * worse level too. `worst`: the worst judgement of an earlier window, by group. `before`: state of the groups after the last check. Its
 * levels become the previous levels (`was`) of the judgements.
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
