/**
 * Learns sessions: series of documents that belong together, such as the requests of one client. Documents of several sessions alternate.
 *
 * The profile describes how many other sessions continue between two documents of a session. It also describes which fields keep their
 * values from one document of a session to the next. It contains no values.
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

/**
 * Maximum number of sets of fields in the profile. Each set contains fields that together keep their values from one document of a session
 * to the next. Sets that occur in fewer than {@link SHARED_BY} documents are not used.
 */
const MOST_SETS = 200;
const SHARED_BY = 3;
/**
 * The profile describes which set of unchanged fields follows another set in a session. For this, it needs at least this many documents
 * that follow the earlier set.
 */
const LEAST_OBSERVED = 12;
/** Maximum number of fields that are compared. The fields with the most information are used. */
const MOST_FIELDS = 40;
/**
 * Minimum information, in bits, for a document to count as the next one of a session. The values that the document and the session have in
 * common provide information. The information needed to choose this session among all sessions is subtracted.
 */
const LEAST_BITS = 2;

export interface LearnedSessions {
  sessions: ProfiledSessions | undefined;
  /**
   * Returns whether the document has the same value in this column as the previous document of its session. A session is a series of
   * documents that belong together.
   */
  isKept(column: Column, document: number): boolean;
}

interface SessionStep {
  session: number;
  /**
   * How many other sessions were continued since this session's previous document, converted by `rankLevel`. -1 for the first document of a
   * session.
   */
  rank: number;
  /** Index of the set of fields that kept their values. -1 for the first document of a session. */
  set: number;
}

interface FieldSet {
  fields: number[];
  count: number;
}

const NONE: LearnedSessions = { sessions: undefined, isKept: () => false };

/**
 * Learns which documents belong to a session, a series such as the requests of one client.
 * - `columns`: columns of the fields whose values repeat and which are not in lists.
 * - `parents`: the parent of each field. A field keeps its value only if its parent does, so that generated documents contain no impossible
 *   combinations.
 */
export function learnSessions(
  columns: readonly Column[],
  documents: number,
  parents: ReadonlyMap<Column, Parents>,
  placeOf: (column: Column) => number,
): LearnedSessions {
  const compared = columns
    .map((column) => ({ column, bits: entropyOf(column) }))
    .filter(({ bits }) => bits > 0)
    .sort((a, b) => b.bits - a.bits)
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
  const steps = Array.from({ length: documents }, (_, document): SessionStep => {
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
  // If the combination of common values is rare, the document probably has them by chance, so the document does not continue the session.
  for (const step of steps) {
    step.set = step.set < 0 ? BEGAN : folded[step.set]!;
    if (step.set < 0) step.rank = -1;
  }
  const fieldsOf = kept.map(({ fields }) => new Set(fields.map((field) => compared[field]!)));
  return {
    sessions: {
      ...beginsOf(steps),
      kept: kept.map(({ fields }) => fields.map((field) => placeOf(compared[field]!))),
      next: nextOf(steps),
    },
    isKept: (column, document) => steps[document]!.set >= 0 && fieldsOf[steps[document]!.set]!.has(column),
  };
}

function beginsOf(steps: readonly SessionStep[]): Pick<ProfiledSessions, 'begin' | 'ranks'> {
  const ranks = new Map<number, number>();
  for (const { rank } of steps) ranks.set(rank, (ranks.get(rank) ?? 0) + 1);
  const begins = ranks.get(-1) ?? 0;
  ranks.delete(-1);
  const sorted = [...ranks].sort(([a], [b]) => a - b);
  const levels = levelsOf(sorted.map(([, count]) => count));
  return {
    begin: shareLevel(begins / steps.length),
    ranks: sorted.map(([rank], at): [number, number] => [rank, levels[at]!]),
  };
}

/** Returns how often each set of unchanged fields follows another set in a session. */
function nextOf(steps: readonly SessionStep[]): ProfiledSessions['next'] {
  const before = new Map<number, number>();
  const contexts = new Map<string, { context: [number, number]; counts: Map<number, number> }>();
  const count = (context: [number, number], set: number): void => {
    const known = contexts.get(context.join()) ?? { context, counts: new Map<number, number>() };
    contexts.set(context.join(), known);
    known.counts.set(set, (known.counts.get(set) ?? 0) + 1);
  };
  for (const { session, rank, set } of steps) {
    if (set >= 0) {
      count([rankClass(rank), before.get(session) ?? BEGAN], set);
      count([rankClass(rank), ANY_SET], set);
    }
    before.set(session, set);
  }
  return [...contexts.values()].flatMap(({ context, counts }): ProfiledSessions['next'] => {
    const sorted = [...counts].sort(([, a], [, b]) => b - a);
    if (sorted.reduce((sum, [, times]) => sum + times, 0) < (context[1] === ANY_SET ? 1 : LEAST_OBSERVED))
      return [];
    const levels = levelsOf(sorted.map(([, times]) => times));
    return [[context, sorted.map(([set], at): [number, number] => [set, levels[at]!])]];
  });
}

/**
 * Returns for each set in `sets` the index of its replacement in `kept`, which contains the frequent sets. The replacement is the same set
 * or its largest subset. -1 if `kept` contains no subset.
 */
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

/** Returns the fields in an order in which each field comes after its parent. */
function inOrder(parentOf: readonly number[]): number[] {
  const depth = (field: number): number => (parentOf[field]! < 0 ? 0 : 1 + depth(parentOf[field]!));
  return [...parentOf.keys()].sort((a, b) => depth(a) - depth(b));
}

/** Returns the entropy of a field, in bits per value. */
function entropyOf({ counts, ids }: Column): number {
  return counts.reduce((sum, count) => sum - (count / ids.length) * Math.log2(count / ids.length), 0);
}

/** The last values of all sessions. They are updated with each document. */
class SessionStates {
  /** For each session: the last value of each field. */
  private readonly last: Int32Array[] = [];
  /** Numbers of the sessions, the most recently continued one first. */
  private readonly stack: number[] = [];
  /** For each field and value: number of the last session that had this value. -1 if no session had it. */
  private readonly having: Int32Array[];
  /** For each field and value: the information in the value, in bits. A rare value has more bits than a frequent one. */
  private readonly bits: Float64Array[];

  /** Result of the last comparison of a document with a session. For each field: 1 if both have the same value. */
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

  /**
   * Assigns a document to a session. Returns:
   * - `session`: number of the session that the document continues or begins;
   * - `rank`: number of other sessions that were continued since the previous document of this session; -1 for a new session;
   * - `fields`: the fields that keep their values.
   */
  take(row: Int32Array): { session: number; rank: number; fields: number[] } {
    const { having, stack, last } = this;
    let best = -1;
    let bestRank = -1;
    let most = LEAST_BITS;
    const looked = new Set<number>();
    for (let field = 0; field < row.length; field += 1) {
      const session = row[field]! < 0 ? -1 : having[field]![row[field]!]!;
      if (session < 0 || looked.has(session)) continue;
      looked.add(session);
      const bits = this.compare(row, last[session]!);
      if (bits <= most) continue;
      const rank = stack.indexOf(session);
      const gain = bits - Math.log2(rank + 1);
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
    this.compare(row, state);
    const fields = [...this.isSame.keys()].filter((field) => this.isSame[field] === 1);
    stack.splice(bestRank, 1);
    this.put(best, row);
    return { session: best, rank: bestRank, fields };
  }

  private compare(row: Int32Array, state: Int32Array): number {
    const { order, parentOf, isSame } = this;
    let bits = 0;
    for (const field of order) {
      const parent = parentOf[field]!;
      const same =
        row[field]! >= 0 &&
        row[field] === state[field] &&
        (parent < 0 || row[parent]! < 0 || isSame[parent] === 1);
      isSame[field] = same ? 1 : 0;
      if (same) bits += this.bits[field]![row[field]!]!;
    }
    return bits;
  }

  /**
   * Creates a session. If there are already too many sessions, the new session replaces the one that has not been continued for the longest
   * time.
   */
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
