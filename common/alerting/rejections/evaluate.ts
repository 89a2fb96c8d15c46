/** Judges the figures of a window, with hysteresis: what is at which level now, given at which it was. Pure. */
import { rateOf, type TimeWindow, type WindowFigures } from './figures';
import { recoveryOf, windowMs, type RejectionParams } from './params';

export type Level = 'ok' | 'warning' | 'critical' | 'nodata';

/**
 * Why a group is at its level: `rate` was judged; `few` attempts say nothing, so that it stays as it was for a while, and
 * `silenced` ones as long as they go on; `none`: there are no data of it; `waiting`: there are, but they cannot be read yet.
 */
export type Ground = 'rate' | 'few' | 'silenced' | 'none' | 'waiting';

export interface Judgement {
  group: string;
  name: string;
  level: Level;
  /** What it was before. */
  was: Level;
  ground: Ground;
  /** Null where there are no data. */
  figures: WindowFigures | null;
  /** With the ground `waiting`: since when they cannot be read, ms since the epoch. */
  since?: number;
  /** The window that was judged, where that is not the one which ends now: its results came late. */
  at?: TimeWindow;
}

/** A group whose samples wait to be stored: of what its clients saw since then, some or all cannot be read. */
export interface Blind {
  name: string;
  /** ms since the epoch. */
  since: number;
}

export type BlindGroups = ReadonlyMap<string, Blind>;

/** What is kept from one look to the next; plain data, which the host stores. */
export interface RuleState {
  groups: Record<string, Remembered>;
  /** Groups whose samples waited at the last look, and since when, ms since the epoch; states of earlier versions lack it. */
  blindSince?: Record<string, number>;
}

export interface Remembered {
  name: string;
  level: Level;
  /** When it last had data, and when it was last judged by its rate, ms since the epoch. */
  seen: number;
  judged: number;
}

export interface Verdict {
  /** Of every group with data, and of those remembered that have none. */
  judgements: Judgement[];
  state: RuleState;
}

/** A group without data is gone for good after this long, ms: its alert ends. */
const FORGET_MS = 24 * 3_600_000;

/** A level that is judged no more, for want of attempts, ends after so many windows. */
const HELD_WINDOWS = 3;

/** Stands for the rule itself where there is nothing at all to watch. */
export const EVERYTHING = 'no data';

type Thresholds = Pick<RejectionParams, 'warning' | 'critical' | 'recovery'>;

/** A level is taken at its threshold and left only below its recovery threshold. */
function levelOf(rate: number, was: Level, params: Thresholds): Level {
  const left = recoveryOf(params);
  if (rate >= params.critical || (was === 'critical' && rate >= left.critical && rate > 0)) return 'critical';
  if (rate >= params.warning) return 'warning';
  const alarmed = was === 'warning' || was === 'critical';
  return alarmed && rate >= left.warning && rate > 0 ? 'warning' : 'ok';
}

/** What was judged last too long ago ends, and so does what was without data, for it has them again. */
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

/** The worst first. */
const LEVELS: readonly Level[] = ['critical', 'warning', 'nodata', 'ok'];

export const isWorse = (level: Level, than: Level): boolean => LEVELS.indexOf(level) < LEVELS.indexOf(than);

/**
 * What can be read of a blind group may raise its level, and never lower it: nobody knows whether it is well again, or still
 * is. One that was well has no data.
 */
function asFarAsSeen(judgement: Judgement, { since }: Blind): Judgement {
  const { level, was } = judgement;
  const held = was === 'ok' ? 'nodata' : was;
  return isWorse(level, held) ? judgement : { ...judgement, level: held, ground: 'waiting', since };
}

/**
 * `now`: the window's end, ms since the epoch. `before`: what the look before returned; undefined for the first. `blind`:
 * groups, by their ids, of which not all can be read.
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

/** Remembers who is at a level, and, where missing data are an alarm, everybody for a while. */
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

/** What is at no level last. */
export const worstFirst = (judgements: readonly Judgement[]): Judgement[] => {
  const rank = (level: Level): number => LEVELS.indexOf(level);
  const rate = ({ figures }: Judgement): number => (figures === null ? 0 : rateOf(figures));
  return [...judgements].sort((a, b) => rank(a.level) - rank(b.level) || rate(b) - rate(a));
};
