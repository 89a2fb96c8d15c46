/**
 * Judges the rejections in a window with hysteresis: the level of each group depends on the group's previous level. The functions are pure.
 */
import { rateOf, type TimeWindow, type WindowFigures } from './figures';
import { recoveryOf, windowMs, type RejectionParams } from './params';

export type Level = 'ok' | 'warning' | 'critical' | 'nodata';

/**
 * Reason for a level.
 * - `rate`: the rejection rate determines it.
 * - `few`: too few attempts to judge the rate. The previous level remains for up to {@link HELD_WINDOWS} windows.
 * - `silenced`: too few attempts, and some belong to runs that cause rejections on purpose. The previous level remains.
 * - `none`: there is no data.
 * - `waiting`: some data is not stored yet. Until it is stored, the level is not lowered.
 */
export type Ground = 'rate' | 'few' | 'silenced' | 'none' | 'waiting';

export interface Judgement {
  group: string;
  name: string;
  level: Level;
  /** Level of the group after the previous check. */
  was: Level;
  ground: Ground;
  /** Counts of the judged window; null if there is no data. */
  figures: WindowFigures | null;
  /** For the ground `waiting`: start of the time for which the data is not stored yet, in ms since the epoch. */
  since?: number;
  /** The judged window if it is not the newest window but an earlier one whose results arrived late. */
  at?: TimeWindow;
}

/** A group whose newest samples are not stored yet. Its data after `since` is incomplete or missing. */
export interface Blind {
  name: string;
  /** Time of the oldest sample that is not stored yet, in ms since the epoch. */
  since: number;
}

export type BlindGroups = ReadonlyMap<string, Blind>;

/** State that Kibana stores between two checks, as plain data. */
export interface RuleState {
  groups: Record<string, Remembered>;
  /**
   * For each group whose newest samples were not stored at the last check: the time of its oldest such sample, in ms since the epoch.
   * Absent in states of earlier versions of Dyno.
   */
  blindSince?: Record<string, number>;
}

export interface Remembered {
  name: string;
  level: Level;
  /** Time at which the group last had data, in ms since the epoch. */
  seen: number;
  /** Time at which the rejection rate of the group was last judged, in ms since the epoch. */
  judged: number;
}

export interface Verdict {
  /**
   * Judgements of all groups with data in the window, and of groups that have no data now but that `state` still contains from earlier
   * checks.
   */
  judgements: Judgement[];
  state: RuleState;
}

/** Time in ms. A group that has no data for this long is removed from the state, and its alert ends. */
const FORGET_MS = 24 * 3_600_000;

/** Number of successive windows with too few attempts after which a group's level ends. */
const HELD_WINDOWS = 3;

/** Id of the group that represents the whole rule if no group has data. */
export const EVERYTHING = 'no data';

type Thresholds = Pick<RejectionParams, 'warning' | 'critical' | 'recovery'>;

/**
 * Returns the level of a rate. A level begins when the rate reaches the threshold of the level, and ends when the rate is below its
 * recovery threshold.
 */
function levelOf(rate: number, was: Level, params: Thresholds): Level {
  const left = recoveryOf(params);
  if (rate >= params.critical || (was === 'critical' && rate >= left.critical && rate > 0)) return 'critical';
  if (rate >= params.warning) return 'warning';
  const alarmed = was === 'warning' || was === 'critical';
  return alarmed && rate >= left.warning && rate > 0 ? 'warning' : 'ok';
}

/**
 * Returns the level of a group with too few attempts. It is the previous level `was`. In two cases it is `ok`: if the last judgement of the
 * rate is too old (`stale`), or if the group had no data before and has data again.
 */
const asItWas = (was: Level, stale: boolean): Level => (was === 'nodata' || stale ? 'ok' : was);

function judge(
  figures: WindowFigures,
  known: Remembered | undefined,
  params: RejectionParams,
  now: number,
): Judgement {
  const { group, name, attempted, silenced } = figures;
  const was = known?.level ?? 'ok';
  if (attempted >= params.minAttempts) {
    return { group, name, level: levelOf(rateOf(figures), was, params), was, ground: 'rate', figures };
  }
  const ground = silenced > 0 ? 'silenced' : 'few';
  const stale = ground === 'few' && now - (known?.judged ?? now) >= HELD_WINDOWS * windowMs(params);
  return { group, name, level: asItWas(was, stale), was, ground, figures };
}

/** Levels, the worst first. */
const LEVELS: readonly Level[] = ['critical', 'warning', 'nodata', 'ok'];

export const isWorse = (level: Level, than: Level): boolean => LEVELS.indexOf(level) < LEVELS.indexOf(than);

/**
 * Returns the judgement of a group whose data is incomplete. The available data may raise the level but never lower it, because the missing
 * data may contain more rejections. If the group had no alert, its level becomes `nodata`, unless the available data already causes a worse
 * level.
 */
function asFarAsSeen(judgement: Judgement, { since }: Blind): Judgement {
  const { level, was } = judgement;
  const held = was === 'ok' ? 'nodata' : was;
  return isWorse(level, held) ? judgement : { ...judgement, level: held, ground: 'waiting', since };
}

/**
 * Judges a window. `now`: end of the window, in ms since the epoch. `before`: state after the last check; undefined at the first check.
 * `blind`: groups with incomplete data, by id.
 */
export function evaluate(
  params: RejectionParams,
  found: readonly WindowFigures[],
  before: RuleState | undefined,
  now: number,
  blind: BlindGroups = new Map(),
): Verdict {
  const known = before?.groups ?? {};
  const judged = [
    ...found.map((figures) => judge(figures, known[figures.group], params, now)),
    ...[...blind].filter(([group]) => !found.some((figures) => figures.group === group)).map(unseen(known)),
  ].map((judgement) => {
    const waits = blind.get(judgement.group);
    return waits === undefined ? judgement : asFarAsSeen(judgement, waits);
  });
  const there = new Set(judged.map(({ group }) => group));

  const missing = Object.entries(known).filter(([group]) => !there.has(group) && group !== EVERYTHING);
  const alarm = params.noData === 'alert';
  const judgements: Judgement[] = [
    ...judged,
    ...missing.map(([group, { name, level: was, seen }]): Judgement => {
      const level = alarm && now - seen < FORGET_MS ? 'nodata' : 'ok';
      return { group, name, level, was, ground: 'none', figures: null };
    }),
    ...nothingAtAll(judged.length + missing.length === 0 && alarm, known[EVERYTHING]?.level),
  ];
  return { judgements, state: stateAfter(judgements, before, { alarm, now, blind }) };
}

const unseen =
  (known: RuleState['groups']) =>
  ([group, { name }]: [string, Blind]): Judgement => {
    const was = known[group]?.level ?? 'ok';
    return { group, name, level: was, was, ground: 'waiting', figures: null };
  };

function nothingAtAll(missing: boolean, was: Level | undefined): Judgement[] {
  if (!missing && was === undefined) return [];
  const level = missing ? 'nodata' : 'ok';
  return [{ group: EVERYTHING, name: EVERYTHING, level, was: was ?? 'ok', ground: 'none', figures: null }];
}

/**
 * Returns the state for the next check. It contains all groups with an alert. If the rule raises an alert for missing data, it also
 * contains the groups that have data now, so that the next check notices if their data is missing.
 */
function stateAfter(
  judgements: readonly Judgement[],
  before: RuleState | undefined,
  { alarm, now, blind }: { alarm: boolean; now: number; blind: BlindGroups },
): RuleState {
  const { groups: known = {}, blindSince = {} } = before ?? {};
  const kept = judgements.filter(
    ({ group, level, figures }) => level !== 'ok' || (alarm && group !== EVERYTHING && figures !== null),
  );
  return {
    groups: Object.fromEntries(
      kept.map(({ group, name, level, ground, figures }) => [
        group,
        {
          name,
          level,
          seen: figures === null ? (known[group]?.seen ?? now) : now,
          judged: ground === 'rate' ? now : (known[group]?.judged ?? now),
        },
      ]),
    ),
    ...(blind.size === 0
      ? {}
      : {
          blindSince: Object.fromEntries(
            [...blind].map(([group, { since }]) => [group, Math.min(since, blindSince[group] ?? since)]),
          ),
        }),
  };
}

/** Sorts judgements: the worst levels first, judgements without an alert last. */
export const worstFirst = (judgements: readonly Judgement[]): Judgement[] => {
  const rank = (level: Level): number => LEVELS.indexOf(level);
  const rate = ({ figures }: Judgement): number => (figures === null ? 0 : rateOf(figures));
  return [...judgements].sort((a, b) => rank(a.level) - rank(b.level) || rate(b) - rate(a));
};
