/**
 * Sessions: documents that go on where one of late left off, as the next request of a client does. Told are how many other sessions
 * went on in between, and which fields keep their values together; no value.
 */
import type { Column, Parents } from './draws';
import { levelsOf, shareLevel } from '../../common/generators/profile/levels';
import type { ProfiledSessions } from '../../common/generators/profile/profile';
import {
  ANY_SET,
  BEGAN,
  MOST_SESSIONS,
  rankClass,
  rankLevel,
} from '../../common/generators/profile/sessions';

/** Sets of fields that keep their values, each in so many documents. */
const MOST_SETS = 200;
const SHARED_BY = 3;
/** What a session keeps is told apart by what it kept before where so many documents tell. */
const LEAST_TELLING = 12;
/** Fields that are compared, those first that tell most. */
const MOST_FIELDS = 40;
/** Bits by which values in common must tell more than which session it is: less is chance. */
const LEAST_TOLD = 2;

export interface LearnedSessions {
  sessions: ProfiledSessions | undefined;
  /** Whether a document has the value of its session. */
  isKept(column: Column, document: number): boolean;
}

interface Gone {
  session: number;
  /** Level of how many sessions went on since it did; -1 where it begins. */
  rank: number;
  /** A set by its number; -1 where it begins. */
  set: number;
}

interface FieldSet {
  fields: number[];
  count: number;
}

const NONE: LearnedSessions = { sessions: undefined, isKept: () => false };

/**
 * `columns`: of fields whose values come again and stand in no list. `parents`: the field that says most of what another one is, without
 * which that one does not keep its value, for it would stand beside values beside which it never stood.
 */
export function learnSessions(
  columns: readonly Column[],
  documents: number,
  parents: ReadonlyMap<Column, Parents>,
  placeOf: (column: Column) => number,
): LearnedSessions {
  const compared = columns
    .map((column) => ({ column, told: entropyOf(column) }))
    .filter(({ told }) => told > 0)
    .sort((a, b) => b.told - a.told)
    .slice(0, MOST_FIELDS)
    .map(({ column }) => column);
  const width = compared.length;
  if (width === 0) return NONE;
  const rows = new Int32Array(documents * width).fill(-1);
  for (const [field, { ids, places }] of compared.entries())
    for (const [at, id] of ids.entries()) rows[places[at]! * width + field] = id;
  const sets: FieldSet[] = [];
  const known = new Map<string, number>();
  const parentOf = compared.map((column) => {
    const of = parents.get(column);
    return of === undefined ? -1 : compared.indexOf(of.parent);
  });
  const state = new SessionStates(compared, documents, inOrder(parentOf), parentOf);
  const went = Array.from({ length: documents }, (_, document): Gone => {
    const { session, rank, fields } = state.take(rows.subarray(document * width, (document + 1) * width));
    if (rank < 0) return { session, rank, set: BEGAN };
    const key = fields.join();
    const set = known.get(key) ?? sets.push({ fields, count: 0 }) - 1;
    known.set(key, set);
    sets[set]!.count += 1;
    return { session, rank: rankLevel(rank), set };
  });
  const kept = sets
    .filter(({ count }) => count >= SHARED_BY)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_SETS);
  if (kept.length === 0) return NONE;
  const folded = foldedInto(sets, kept);
  // What is in common with an earlier document only here and there is no session.
  for (const gone of went) {
    gone.set = gone.set < 0 ? BEGAN : folded[gone.set]!;
    if (gone.set < 0) gone.rank = -1;
  }
  const fieldsOf = kept.map(({ fields }) => new Set(fields.map((field) => compared[field]!)));
  return {
    sessions: {
      ...beginsOf(went),
      kept: kept.map(({ fields }) => fields.map((field) => placeOf(compared[field]!))),
      next: nextOf(went),
    },
    isKept: (column, document) => went[document]!.set >= 0 && fieldsOf[went[document]!.set]!.has(column),
  };
}

function beginsOf(went: readonly Gone[]): Pick<ProfiledSessions, 'begin' | 'ranks'> {
  const ranks = new Map<number, number>();
  for (const { rank } of went) ranks.set(rank, (ranks.get(rank) ?? 0) + 1);
  const begins = ranks.get(-1) ?? 0;
  ranks.delete(-1);
  const sorted = [...ranks].sort(([a], [b]) => a - b);
  const levels = levelsOf(sorted.map(([, count]) => count));
  return {
    begin: shareLevel(begins / went.length),
    ranks: sorted.map(([rank], at): [number, number] => [rank, levels[at]!]),
  };
}

/** Which sets follow which. */
function nextOf(went: readonly Gone[]): ProfiledSessions['next'] {
  const before = new Map<number, number>();
  const contexts = new Map<string, { context: [number, number]; counts: Map<number, number> }>();
  const count = (context: [number, number], set: number): void => {
    const known = contexts.get(context.join()) ?? { context, counts: new Map<number, number>() };
    contexts.set(context.join(), known);
    known.counts.set(set, (known.counts.get(set) ?? 0) + 1);
  };
  for (const { session, rank, set } of went) {
    if (set >= 0) {
      count([rankClass(rank), before.get(session) ?? BEGAN], set);
      count([rankClass(rank), ANY_SET], set);
    }
    before.set(session, set);
  }
  return [...contexts.values()].flatMap(({ context, counts }): ProfiledSessions['next'] => {
    const sorted = [...counts].sort(([, a], [, b]) => b - a);
    if (sorted.reduce((sum, [, times]) => sum + times, 0) < (context[1] === ANY_SET ? 1 : LEAST_TELLING))
      return [];
    const levels = levelsOf(sorted.map(([, times]) => times));
    return [[context, sorted.map(([set], at): [number, number] => [set, levels[at]!])]];
  });
}

/** Of each set the kept one that has most of its fields and no others; -1 where there is none. */
function foldedInto(sets: readonly FieldSet[], kept: readonly FieldSet[]): number[] {
  const places = new Map(kept.map((set, at) => [set, at]));
  return sets.map((set) => {
    const own = places.get(set);
    if (own !== undefined) return own;
    const fields = new Set(set.fields);
    let best = -1;
    for (const [at, other] of kept.entries())
      if (
        other.fields.every((field) => fields.has(field)) &&
        (best < 0 || other.fields.length > kept[best]!.fields.length)
      )
        best = at;
    return best;
  });
}

/** Fields, each behind its parent. */
function inOrder(parentOf: readonly number[]): number[] {
  const depth = (field: number): number => (parentOf[field]! < 0 ? 0 : 1 + depth(parentOf[field]!));
  return [...parentOf.keys()].sort((a, b) => depth(a) - depth(b));
}

/** Bits that a value tells on the average. */
function entropyOf({ counts, ids }: Column): number {
  return counts.reduce((sum, count) => sum - (count / ids.length) * Math.log2(count / ids.length), 0);
}

/** What the sessions had last, as documents come. */
class SessionStates {
  /** By session, what each field had last. */
  private readonly last: Int32Array[] = [];
  /** Those that went on last come first. */
  private readonly stack: number[] = [];
  /** By field and value, the session that had it last. */
  private readonly having: Int32Array[];
  /** What a value tells, bits. */
  private readonly bits: Float64Array[];

  /** By field, whether it is as its session had it. */
  private readonly isSame: Uint8Array;

  constructor(
    columns: readonly Column[],
    documents: number,
    private readonly order: readonly number[],
    private readonly parentOf: readonly number[],
  ) {
    this.isSame = new Uint8Array(columns.length);
    this.having = columns.map(({ texts }) => new Int32Array(texts.length).fill(-1));
    this.bits = columns.map(({ counts }) =>
      Float64Array.from(counts, (count) => -Math.log2(count / documents)),
    );
  }

  /** The session that the document goes on with, how many did so since (-1 where it begins one), and the fields that keep their values. */
  take(row: Int32Array): { session: number; rank: number; fields: number[] } {
    const { having, stack, last } = this;
    let best = -1;
    let bestRank = -1;
    let most = LEAST_TOLD;
    const looked = new Set<number>();
    for (let field = 0; field < row.length; field += 1) {
      const session = row[field]! < 0 ? -1 : having[field]![row[field]!]!;
      if (session < 0 || looked.has(session)) continue;
      looked.add(session);
      const told = this.told(row, last[session]!);
      if (told <= most) continue;
      const rank = stack.indexOf(session);
      const gain = told - Math.log2(rank + 1);
      if (gain <= most) continue;
      most = gain;
      best = session;
      bestRank = rank;
    }
    if (best < 0) {
      const session = this.begin();
      this.put(session, row);
      return { session, rank: -1, fields: [] };
    }
    const state = last[best]!;
    this.told(row, state);
    const fields = [...this.isSame.keys()].filter((field) => this.isSame[field] === 1);
    stack.splice(bestRank, 1);
    this.put(best, row);
    return { session: best, rank: bestRank, fields };
  }

  private told(row: Int32Array, state: Int32Array): number {
    const { order, parentOf, isSame } = this;
    let told = 0;
    for (const field of order) {
      const parent = parentOf[field]!;
      const same =
        row[field]! >= 0 &&
        row[field] === state[field] &&
        (parent < 0 || row[parent]! < 0 || isSame[parent] === 1);
      isSame[field] = same ? 1 : 0;
      if (same) told += this.bits[field]![row[field]!]!;
    }
    return told;
  }

  /** A new session, in place of the one that went on longest ago where there are too many. */
  private begin(): number {
    if (this.last.length < MOST_SESSIONS)
      return this.last.push(new Int32Array(this.having.length).fill(-1)) - 1;
    const session = this.stack.pop()!;
    const state = this.last[session]!;
    for (const [field, having] of this.having.entries())
      if (state[field]! >= 0 && having[state[field]!] === session) having[state[field]!] = -1;
    state.fill(-1);
    return session;
  }

  private put(session: number, row: Int32Array): void {
    const state = this.last[session]!;
    for (let field = 0; field < row.length; field += 1) {
      if (row[field]! < 0) continue;
      state[field] = row[field]!;
      this.having[field]![row[field]!] = session;
    }
    this.stack.unshift(session);
  }
}
