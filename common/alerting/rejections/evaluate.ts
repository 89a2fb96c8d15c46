/** Judges the rejections of a window with hysteresis: the level of each group depends on its previous level. Pure. */
import { rateOf, type TimeWindow, type WindowFigures } from './figures';
import { recoveryOf, windowMs, type RejectionParams } from './params';

export type Level = 'ok' | 'warning' | 'critical' | 'nodata';

/**
 * Reason for a level.
 * - `rate`: the rate was judged.
 * - `few`: too few attempts to judge the rate; the level does not change for some windows.
 * - `silenced`: all attempts belong to runs that cause rejections on purpose; the level does not change while they continue.
 * - `none`: no data.
 * - `waiting`: data exists but cannot be read yet.
 */
export type Ground = 'rate' | 'few' | 'silenced' | 'none' | 'waiting';

export interface Judgement {
  group: string;
  name: string;
  level: Level;
  /** Level at the last check. */
  was: Level;
  ground: Ground;
  /** Numbers of the window; null without data. */
  figures: WindowFigures | null;
  /** If the ground is `waiting`: time since which data cannot be read, in ms since the epoch. */
  since?: number;
  /** The judged window, if it is an earlier window with results that arrived late. */
  at?: TimeWindow;
}

/** A group with samples that are not stored yet. Some or all of its data after `since` cannot be read. */
export interface Blind {
  name: string;
  /** Time since which samples wait, in ms since the epoch. */
  since: number;
}

export type BlindGroups = ReadonlyMap<string, Blind>;

/** State between two checks: plain data, which Kibana stores. */
export interface RuleState {
  groups: Record<string, Remembered>;
  /**
   * Groups with samples that were not stored at the last check, and the time since then, in ms since the epoch. Absent in states of earlier
   * versions.
   */
  blindSince?: Record<string, number>;
}

export interface Remembered {
  name: string;
  level: Level;
  /** Times at which the group last had data and at which its rate was last judged, in ms since the epoch. */
  seen: number;
  judged: number;
}

export interface Verdict {
  /** Judgements of all groups with data, and of remembered groups without data. */
  judgements: Judgement[];
  state: RuleState;
}

/** Time without data, in ms, after which a group is forgotten and its alert ends. */
const FORGET_MS = 24 * 3_600_000;

/** Number of windows with too few attempts after which a level ends. */
const HELD_WINDOWS = 3;

/** Id of the group that represents the whole rule if there is no data at all. */
export const EVERYTHING = 'no data';

type Thresholds = Pick<RejectionParams, 'warning' | 'critical' | 'recovery'>;

/** Returns the level of a rate. A level begins at its threshold and ends below its recovery threshold. */
function levelOf(rate: number, was: Level, params: Thresholds): Level {
  const left = recoveryOf(params);
  if (rate >= params.critical || (was === 'critical' && rate >= left.critical && rate > 0)) return 'critical';
  if (rate >= params.warning) return 'warning';
  const alarmed = was === 'warning' || was === 'critical';
  return alarmed && rate >= left.warning && rate > 0 ? 'warning' : 'ok';
}

/**
 * Returns the level of a group with too few attempts. The level does not change, with two exceptions: if the last judgement is too old
 * (`stale`), and if the level was `nodata`, because the group has data again.
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
 * Returns the judgement of a group whose data is incomplete. The available part may raise the level but never lower it, because the missing
 * part may contain more rejections. A group without an alert becomes `nodata`.
 */
function asFarAsSeen(judgement: Judgement, { since }: Blind): Judgement {
  const { level, was } = judgement;
  const held = was === 'ok' ? 'nodata' : was;
  return isWorse(level, held) ? judgement : { ...judgement, level: held, ground: 'waiting', since };
}

/**
 * Judges a window. `now`: end of the window, in ms since the epoch. `before`: state of the last check; undefined for the first. `blind`:
 * groups with incomplete data, by id.
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
 * Returns the state for the next check. It contains groups with a level. If missing data causes an alert, it also contains all other groups
 * for a while.
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

/** Sorts judgements, the worst first and those without an alert last. */
export const worstFirst = (judgements: readonly Judgement[]): Judgement[] => {
  const rank = (level: Level): number => LEVELS.indexOf(level);
  const rate = ({ figures }: Judgement): number => (figures === null ? 0 : rateOf(figures));
  return [...judgements].sort((a, b) => rank(a.level) - rank(b.level) || rate(b) - rate(a));
};
