/** Learns how the values of a field repeat: which values are frequent, when new values occur, and on which other fields they depend. */
import { countLevel, levelsOf, shareLevel } from '../../common/generators/profile/levels';
import type { Events, ProfiledDraw } from '../../common/generators/profile/profile';
import { LEAST_FREQUENT, SOONER } from '../../common/generators/profile/repeated-value';

/** All values of one field, in the order of the documents. */
export interface Column {
  /** One entry for each occurrence of a value: the number of the value. */
  ids: number[];
  /** One entry for each occurrence of a value: the number of the document in which the value occurs. */
  places: number[];
  /** The texts of the distinct values. The number of a value is its index in this list. */
  texts: string[];
  /** One entry for each distinct value, at the index that is the number of the value: how often the value occurs. */
  counts: number[];
  /** One entry for each distinct value, at the index that is the number of the value: number of documents that have the value. */
  documents: number[];
  /** One entry for each distinct value, at the index that is the number of the value: number of the last document that has the value. */
  last: number[];
  numbers: Map<string, number>;
  isTime?: boolean;
}

/** Maximum number of frequent values. The profile lists them individually. */
const MOST_FREQUENT = 999;
/**
 * Minimum share of a field's values that one value must have to count as frequent. The profile stores the frequency of each frequent value.
 */
const FREQUENT_SHARE = 1 / 500;
/** Number of documents that are compared to find dependencies between fields. */
const COMPARED = 4000;
/** Maximum number of fields that are compared to find dependencies. */
const MOST_COMPARED = 60;
/**
 * In a small group of documents, the share of repeated values is unreliable. The share is therefore averaged with the share in all
 * documents, which has the weight of this many documents.
 */
const LIKE_ALL = 5;
/**
 * Some values depend neither on the session (documents that belong together) nor on the parent field. If their share is at least this
 * large, the profile stores the frequencies of these values separately.
 */
const LEAST_LEFT = 0.2;
/**
 * Minimum share of documents in which a field must predict another field's value correctly to become its parent. Predictions that are
 * correct by chance are subtracted.
 */
const LEAST_EXPLAINED = 0.05;
/**
 * Binary logarithm of the largest distance at which a repeated value counts as recent. The distance is counted in values of the field.
 * Other repeated values count as old.
 */
const FARTHEST = 11;

export interface Parents {
  /** The field that best predicts the value of this field. */
  parent: Column;
  /** Other fields that may predict the value of this field. They are candidates for cases that the parent does not predict. */
  others: Column[];
}

/**
 * Returns the parent of each field (the field that best predicts its value) and the other candidates. A parent always has more distinct
 * values than its child, so there are no circular dependencies.
 */
export function parentsOf(columns: readonly Column[], alsoChildren: readonly Column[]): Map<Column, Parents> {
  const sorted = [...columns].sort((a, b) => b.texts.length - a.texts.length).slice(0, MOST_COMPARED);
  const parents = new Map<Column, Parents>();
  const choose = (child: Column, candidates: readonly Column[]): void => {
    if (child.texts.length < 2) return;
    let best = LEAST_EXPLAINED;
    for (const parent of candidates) {
      const explained = explainedBy(parent, child);
      if (explained > best) {
        best = explained;
        parents.set(child, { parent, others: candidates.filter((other) => other !== parent) });
      }
    }
  };
  const values = (column: Column): boolean =>
    column.texts.length > 1 && column.texts.length <= column.ids.length / 2;
  for (const [at, child] of sorted.entries()) choose(child, sorted.slice(0, at).filter(values));
  for (const child of alsoChildren) choose(child, sorted.filter(values));
  return parents;
}

/**
 * Returns the share of documents in which the parent predicts the child's value. The predicted value is the one that the child had when the
 * parent last had its current value. Predictions that are correct by chance are subtracted.
 */
function explainedBy(
  parent: Column,
  child: Column,
  isLooked: (document: number) => boolean = () => true,
): number {
  const last = new Map<number, number>();
  let repeated = 0;
  let same = 0;
  const shares = new Map<number, number>();
  eachPair(parent, child, COMPARED, (own, of, document) => {
    if (!isLooked(document)) {
      if (of >= 0) last.set(of, own);
      return;
    }
    const before = of < 0 ? undefined : last.get(of);
    if (before !== undefined) {
      repeated += 1;
      if (before === own) same += 1;
    }
    if (of >= 0) last.set(of, own);
    shares.set(own, (shares.get(own) ?? 0) + 1);
  });
  const all = [...shares.values()].reduce((sum, count) => sum + count, 0);
  if (repeated === 0) return 0;
  const chance = [...shares.values()].reduce((sum, count) => sum + (count / all) ** 2, 0);
  return ((same / repeated - chance) * repeated) / all;
}

function eachPair(
  parent: Column,
  child: Column,
  most: number,
  meet: (own: number, of: number, document: number) => void,
): void {
  let at = 0;
  for (let own = 0; own < child.ids.length; own += 1) {
    const document = child.places[own]!;
    if (document >= most) return;
    while (at < parent.ids.length && parent.places[at]! < document) at += 1;
    meet(child.ids[own]!, parent.places[at] === document ? parent.ids[at]! : -1, document);
  }
}

export interface DrawSetting {
  sizeOf(text: string): number;
  /** Returns the numbers of the words in a frequent value. Undefined if the text is too long. */
  wordsOf?: ((text: string) => number[] | undefined) | undefined;
  /**
   * Present if the profile may contain original values of the field.
   * - `valueOf` returns a value in the form in which the profile stores it.
   * - `may` returns whether the profile may contain the value with this number.
   */
  keeps: { valueOf(text: string): string | number; may(id: number): boolean } | undefined;
  parents: Parents | undefined;
  placeOf(column: Column): number;
  /**
   * Returns whether the document has the same value in this column as the previous document of its session (a series of documents that
   * belong together). Such documents are ignored when repeated values are counted.
   */
  isKept(column: Column, document: number): boolean;
  /** The whole index: its number of documents, and the number of distinct values of the field. Undefined if all documents were read. */
  whole: { documents: number; distinct: number } | undefined;
  documents: number;
}

class EventCounts {
  head = 0;
  first = 0;
  fresh = 0;
  old = 0;
  readonly near = new Map<number, number>();

  get all(): number {
    return (
      this.head +
      this.first +
      this.fresh +
      this.old +
      [...this.near.values()].reduce((sum, count) => sum + count, 0)
    );
  }

  toEvents(): Events {
    const near = [...this.near].sort(([a], [b]) => a - b);
    const levels = levelsOf([this.head, this.fresh, this.old, this.first, ...near.map(([, count]) => count)]);
    return {
      head: levels[0]!,
      fresh: levels[1]!,
      old: levels[2]!,
      first: levels[3]!,
      near: near.map(([gap], at): [number, number] => [gap, levels[at + 4]!]),
    };
  }
}

export function drawOf(column: Column, setting: DrawSetting): ProfiledDraw {
  const { ids, places, texts, counts } = column;
  const { sizeOf, keeps, whole } = setting;
  const parent = setting.parents?.parent;
  const second = secondOf(column, setting);
  const least = Math.max(LEAST_FREQUENT, ids.length * FREQUENT_SHARE);
  const head = [...counts.keys()]
    .filter((id) => (keeps === undefined ? counts[id]! >= least : keeps.may(id)))
    .sort((a, b) => counts[b]! - counts[a]!)
    .slice(0, MOST_FREQUENT);
  const placeOfHead = new Map(head.map((id, place) => [id, place]));
  const drawn = head.map(() => 0);
  const isHead = new Set(head);
  const apart = new EventCounts();
  const beside = new EventCounts();
  const lastSeen = new Map<number, number>();
  const ofParent = new Map<number, number>();
  const listed = listedValues(column, isHead, setting.wordsOf);
  const isListed = new Set(listed.map(({ id }) => id));
  let listedAgain = 0;
  let rareAgain = 0;
  const all = { repeated: 0, copied: 0 };
  const after = { repeated: 0, copied: 0 };
  const within = { repeated: 0, copied: 0 };
  let freshEarly = 0;
  let at = 0;
  const meet = (own: number, of: number, document: number): void => {
    const before = of < 0 ? undefined : ofParent.get(of);
    const seen = lastSeen.get(own);
    if (of >= 0) ofParent.set(of, own);
    lastSeen.set(own, at);
    at += 1;
    if (seen === undefined && !isHead.has(own) && at <= ids.length / 2) freshEarly += 1;
    if (before !== undefined) {
      all.repeated += 1;
      if (before === own) all.copied += 1;
    }
    if (setting.isKept(column, document)) return;
    if (before !== undefined) {
      const copies = setting.isKept(parent!, document) ? within : after;
      copies.repeated += 1;
      if (before === own) {
        copies.copied += 1;
        return;
      }
    }
    if (second?.isCopied.has(document) === true) return;
    const events = before === undefined ? apart : beside;
    const away = seen === undefined ? Infinity : at - 1 - seen;
    // The value repeats much sooner than its frequency explains, so this counts as a repetition of a recent value.
    const isNear = away <= 2 ** FARTHEST && away < ids.length / (SOONER * counts[own]!);
    if (isHead.has(own) && !isNear) {
      if (second === undefined || second.isKnown.has(document)) drawn[placeOfHead.get(own)!]! += 1;
      if (seen === undefined) events.first += 1;
      else events.head += 1;
    } else if (seen === undefined) events.fresh += 1;
    else {
      const gap = Math.floor(Math.log2(away));
      if (gap > FARTHEST) {
        events.old += 1;
        rareAgain += 1;
        if (isListed.has(own)) listedAgain += 1;
      } else events.near.set(gap, (events.near.get(gap) ?? 0) + 1);
    }
  };
  if (parent === undefined) for (const [place, own] of ids.entries()) meet(own, -1, places[place]!);
  else eachPair(parent, column, Infinity, meet);
  const rare = texts.length - head.length;
  const levels = head.map((id) => shareLevel(counts[id]! / ids.length));
  return {
    head: head.map((id, place): ProfiledDraw['head'][number] => {
      const words = setting.wordsOf?.(texts[id]!);
      return words === undefined
        ? [sizeOf(texts[id]!), levels[place]!]
        : [sizeOf(texts[id]!), levels[place]!, words];
    }),
    ...(second === undefined || second.left < LEAST_LEFT || drawn.every((count) => count === 0)
      ? {}
      : { drawn: levelsOf(drawn) }),
    ...(keeps === undefined ? {} : { kept: head.map((id) => keeps.valueOf(texts[id]!)) }),
    ...(listed.length === 0
      ? {}
      : {
          told: listed.map(({ words }) => words),
          once: shareLevel(onceOf(counts) / Math.max(1, rare - listed.length)),
          ...(rareAgain === 0 ? {} : { toldAgain: shareLevel(listedAgain / rareAgain) }),
        }),
    seen: countLevel(ids.length),
    rare: countLevel(rare),
    growth: growthOf({ rare, early: freshEarly, head: head.length, whole, documents: setting.documents }),
    ...(parent === undefined
      ? {}
      : {
          parent: setting.placeOf(parent),
          copied: shareOfCopies(after, all),
          ...(within.repeated === 0 ? {} : { copiedWithin: shareOfCopies(within, all) }),
        }),
    ...(second === undefined
      ? {}
      : { second: setting.placeOf(second.column), copiedSecond: shareLevel(second.copied) }),
    apart: (apart.all === 0 ? beside : apart).toEvents(),
    ...(parent === undefined || beside.all === 0 ? {} : { beside: beside.toEvents() }),
  };
}

const onceOf = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + (count === 1 ? 1 : 0), 0);

interface Copies {
  repeated: number;
  copied: number;
}

const shareOfCopies = ({ repeated, copied }: Copies, all: Copies): number =>
  shareLevel(
    all.repeated === 0 ? 0 : (copied + (LIKE_ALL * all.copied) / all.repeated) / (repeated + LIKE_ALL),
  );

interface Second {
  column: Column;
  copied: number;
  /**
   * Numbers of the documents for which `column` predicts a value of the child. Excludes documents in which the session or the parent field
   * already predicts the value.
   */
  isKnown: ReadonlySet<number>;
  /** Numbers of the documents in `isKnown` for which the prediction is correct. */
  isCopied: ReadonlySet<number>;
  /**
   * Share of the child's values that depend neither on the session (documents that belong together) nor on the parent field, from 0 to 1.
   */
  left: number;
}

/**
 * Returns the field that best predicts the child's values in documents for which neither the session nor the parent field predicts them.
 * Undefined if no field predicts enough of them.
 */
function secondOf(child: Column, { parents, isKept }: DrawSetting): Second | undefined {
  if (parents === undefined) return undefined;
  const left = new Set<number>();
  const last = new Map<number, number>();
  eachPair(parents.parent, child, Infinity, (own, of, document) => {
    if (!isKept(child, document) && (of < 0 || last.get(of) !== own)) left.add(document);
    if (of >= 0) last.set(of, own);
  });
  let best = LEAST_EXPLAINED;
  let column: Column | undefined;
  for (const other of parents.others) {
    const explained = explainedBy(other, child, (document) => left.has(document));
    if (explained > best) {
      best = explained;
      column = other;
    }
  }
  if (column === undefined) return undefined;
  const isKnown = new Set<number>();
  const isCopied = new Set<number>();
  const before = new Map<number, number>();
  eachPair(column, child, Infinity, (own, of, document) => {
    if (of < 0) return;
    const known = before.get(of);
    before.set(of, own);
    if (known === undefined || !left.has(document)) return;
    isKnown.add(document);
    if (known === own) isCopied.add(document);
  });
  return {
    column,
    copied: isCopied.size / Math.max(1, isKnown.size),
    isKnown,
    isCopied,
    left: left.size / child.ids.length,
  };
}

/**
 * Returns the values that are not frequent, but occur at least `LEAST_FREQUENT` times. `isHead`: numbers of the frequent values. In the
 * result, `words` are the numbers of the words in the value.
 */
function listedValues(
  { texts, counts }: Column,
  isHead: ReadonlySet<number>,
  wordsOf: DrawSetting['wordsOf'],
): { id: number; words: number[] }[] {
  if (wordsOf === undefined) return [];
  return [...counts.keys()]
    .filter((id) => counts[id]! >= LEAST_FREQUENT && !isHead.has(id))
    .slice(0, MOST_FREQUENT)
    .flatMap((id) => {
      const words = wordsOf(texts[id]!);
      return words === undefined ? [] : [{ id, words }];
    });
}

/**
 * Returns the exponent of Heaps' law for rare values, in percent. It says how fast the number of distinct values grows with the number of
 * documents. To calculate it, the documents that were read are compared with the whole index, or with their own first half if the index is
 * unknown or not much larger.
 */
function growthOf({
  rare,
  early,
  head,
  whole,
  documents,
}: {
  rare: number;
  early: number;
  head: number;
  whole: DrawSetting['whole'];
  documents: number;
}): number {
  if (rare === 0) return 0;
  const held = (exponent: number): number => Math.round(Math.min(1, Math.max(0, exponent)) * 100);
  if (whole !== undefined && whole.documents > documents * 1.5)
    return held(
      Math.log(Math.max(1, (whole.distinct - head) / rare)) / Math.log(whole.documents / documents),
    );
  return held(Math.log2(rare / Math.max(1, early)));
}
