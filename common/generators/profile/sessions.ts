/**
 * Sessions: series of documents that belong together, such as the requests of one client. Both `dyno learn` and the generator of documents
 * use this file.
 */
import type { Random } from '../../random';
import { Choice } from './choice';
import type { CurrentSession } from './field-value';
import { shareOf } from './levels';
import type { ProfiledSessions, Weighted } from './profile';

/** Maximum number of sessions that can be continued. When one more begins, the session that was continued longest ago ends. */
export const MOST_SESSIONS = 512;
/**
 * Ranks below this number are stored unchanged in a profile, larger ranks as powers of two. The rank of a session is the number of other
 * sessions that were continued since its last document.
 */
const EXACT_RANKS = 8;
const EXACT_BITS = 3;
export const rankLevel = (rank: number): number =>
  rank < EXACT_RANKS ? rank : EXACT_RANKS - EXACT_BITS + Math.floor(Math.log2(rank));

const ranksOf = (level: number): { least: number; count: number } => {
  const least = level < EXACT_RANKS ? level : 2 ** (level - EXACT_RANKS + EXACT_BITS);
  return { least, count: level < EXACT_RANKS ? 1 : least };
};

/**
 * Sessions are divided into three classes by rank: 0 (continued by the previous document), 1 to 6 (recently), and 7 or more (long ago).
 * This list contains the lowest rank of each class.
 */
const RANK_CLASSES = [0, 1, 7] as const;
export const rankClass = (level: number): number => RANK_CLASSES.findLastIndex((least) => level >= least);

/** Special value instead of the index of a set of kept fields. It means that the session has only its first document so far. */
export const BEGAN = -1;
/** Special value instead of the index of a set of kept fields. It stands for any set. */
export const ANY_SET = -2;

/**
 * Returns the key under which the probabilities for the next document of a session are stored. `rank`: class of the session's rank. `last`:
 * the set of fields that kept their values in the session's last document.
 */
const contextOf = (rank: number, last: number): number => rank * 10_000 + last;

const NOTHING: readonly boolean[] = [];

/** Chooses for each document the session that it continues, and the fields that keep their values. */
export class Sessions {
  /** Indices of the sessions in {@link last}. The most recently continued session comes first. */
  private readonly recent = new Int32Array(MOST_SESSIONS);
  private used = 0;
  private readonly begin: number;
  private readonly ranks: Choice<number>;
  /** Sets of fields that keep their values together. `sets[i][position]`: whether set i contains the field at this position. */
  private readonly sets: readonly (readonly boolean[])[];
  /** For each result of {@link contextOf}, the probabilities of the sets of fields that keep their values in the next document. */
  private readonly next: ReadonlyMap<number, Choice<number>>;
  private readonly anySet: Choice<number>;
  /**
   * For each session, the set of fields whose values its last document kept: an index in `sets`. {@link BEGAN} if the session has only one
   * document.
   */
  private readonly last = new Int32Array(MOST_SESSIONS);

  constructor(
    { begin, ranks, kept, next }: ProfiledSessions,
    private readonly current: CurrentSession,
  ) {
    this.begin = shareOf(begin);
    this.ranks = new Choice(ranks, 0);
    this.sets = kept.map((places) => {
      const own = new Set(places);
      return Array.from({ length: 1 + Math.max(...own) }, (_, place) => own.has(place));
    });
    this.next = new Map(
      next.map(([[rank, last], following]) => [contextOf(rank, last), new Choice(following, 0)]),
    );
    this.anySet = new Choice(
      kept.map((_, set): Weighted[number] => [set, 0]),
      0,
    );
  }

  /**
   * Chooses the session of the next document. Returns, by position of the field, whether the field keeps its value from the session's
   * previous document.
   */
  continue(random: Random): readonly boolean[] {
    const { current, last } = this;
    const continued = this.used > 0 && random.unit() >= this.begin ? this.drawRank(random) : undefined;
    current.continues = continued !== undefined && continued.rank < this.used;
    if (continued === undefined || !current.continues) {
      // A new session uses a free slot. If all slots are used, it replaces the session that was continued longest ago.
      const place = Math.min(this.used, MOST_SESSIONS - 1);
      if (this.used < MOST_SESSIONS) this.recent[place] = place;
      this.used = place + 1;
      this.toFront(place);
      last[current.slot] = BEGAN;
      return NOTHING;
    }
    this.toFront(continued.rank);
    const { next, anySet } = this;
    const level = rankClass(continued.level);
    const choice = next.get(contextOf(level, last[current.slot]!)) ?? next.get(contextOf(level, ANY_SET));
    const set = (choice ?? anySet).draw(random);
    last[current.slot] = set;
    return this.sets[set] ?? NOTHING;
  }

  private drawRank(random: Random): { rank: number; level: number } {
    const level = this.ranks.draw(random);
    const { least, count } = ranksOf(level);
    return { level, rank: count === 1 ? least : least + random.below(count) };
  }

  private toFront(place: number): void {
    const slot = this.recent[place]!;
    this.recent.copyWithin(1, 0, place);
    this.recent[0] = slot;
    this.current.slot = slot;
  }
}
