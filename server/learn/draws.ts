/** Learns how the values of a field repeat: which values are frequent, when new values occur, and on which other fields they depend. */
import { countLevel, levelsOf, shareLevel } from '../../common/generators/profile/levels';
import type { Events, ProfiledDraw } from '../../common/generators/profile/profile';
import { LEAST_FREQUENT, SOONER } from '../../common/generators/profile/repeated-value';

/** All values of one field, in the order of the documents. */
export interface Column {
  /** For each occurrence of a value: the number of the value (`ids`), and the number of the document (`places`). */
  ids: number[];
  places: number[];
  /** The texts of the values, and how often each occurs, by the number of the value. */
  texts: string[];
  counts: number[];
  /** For each value: the number of documents that have it (`documents`), and the last of these documents (`last`). */
  documents: number[];
  last: number[];
  numbers: Map<string, number>;
  isTime?: boolean;
}

/** Maximum number of frequent values. The profile lists them individually. */
const MOST_FREQUENT = 999;
/**
 * If a value occurs in more than this share of the documents, only its frequency determines how often it is generated, and not when it
 * occurred last.
 */
const FREQUENT_SHARE = 1 / 500;
/**
 * Number of documents that are compared to find dependencies between fields, and (the next constant) the maximum number of compared fields.
 */
const COMPARED = 4000;
const MOST_COMPARED = 60;
/**
 * Weight of the dependency in all documents, as a number of documents. The weight matters if only few documents have a value that differs
 * from the value of their session.
 */
const LIKE_ALL = 5;
/**
 * Frequencies are stored separately for the documents whose value is determined neither by the session nor by the parent, if these
 * documents are at least this share of all documents.
 */
const LEAST_LEFT = 0.2;
/** Minimum share of documents, beyond chance, in which a parent must determine the value. */
const LEAST_EXPLAINED = 0.05;
/** Values count as old if they last occurred more than 2 to the power of this number of documents ago. */
const FARTHEST = 11;

export interface Parents {
  /** The field whose value most often determines the value of this field. */
  parent: Column;
  /** Other fields whose values may determine the value of this field. */
  others: Column[];
}

/** Returns the parents of each field. A parent always has more distinct values than its child, so there are no circular dependencies. */
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
 * Returns the share of documents in which the child has the same value as when the parent last had its current value. The share that is
 * expected by chance is subtracted.
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
  /** Returns the words of a frequent value. */
  wordsOf?: ((text: string) => number[] | undefined) | undefined;
  /**
   * Present for fields whose original values the profile may contain. `valueOf`: returns the form of a value that the profile stores.
   * `may`: returns whether the profile may contain a value.
   */
  keeps: { valueOf(text: string): string | number; may(id: number): boolean } | undefined;
  parents: Parents | undefined;
  placeOf(column: Column): number;
  /** Returns whether the document has the same value as its session. Such documents are ignored when repetitions of values are counted. */
  isKept(column: Column, document: number): boolean;
  /** Number of distinct values in all documents. Undefined if all documents were read. */
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
   * Numbers of the documents in which `column` could predict the value of the child: neither the session nor the parent determines this
   * value, and the current value of `column` has occurred before. `isCopied`: numbers of those of these documents in which the prediction
   * is right, so the child has the same value as at the last occurrence.
   */
  isKnown: ReadonlySet<number>;
  isCopied: ReadonlySet<number>;
  /** Share of documents in which neither the session nor the parent determines the value of the child. */
  left: number;
}

/** Returns the field that predicts most of those values of the child that neither the session nor the parent determines. */
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

/** Returns the values that several documents share and that are not frequent, each with its words. */
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
 * Returns the exponent of Heaps' law for rare values, in percent. It is calculated from the distinct values of the whole index if their
 * number is known, and otherwise from the first half of the documents and all documents.
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
