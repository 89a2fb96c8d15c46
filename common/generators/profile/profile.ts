/**
 * A profile describes documents without containing their values. `dyno learn` writes a profile, and the generator `profile: FILE` creates
 * similar documents from it.
 *
 * A profile stores words as their class and length (words.ts), sizes of numbers as buckets, and shares and counts as levels (levels.ts). It
 * describes a property only if at least three documents have the property. Documents with rarer properties are only counted.
 */
import * as z from 'zod';
import { exact } from '../../fields/schema';
import { settledBy } from '../../fields/settle';
import { parseExact } from '../../json/exact';
import { DynoError, inputError, messageOf, type Problem } from '../../problem';
import { HIGHEST_LEVEL } from './levels';
import { TIME_FORM_NAMES } from './times';
import { WORD_CLASSES } from './words';

export const PROFILE_VERSION = 1;

/** Possible precisions of the times in documents, in ms: milliseconds, seconds, minutes, hours and days. */
export const CLOCK_STEPS = [1, 1000, 60_000, 3_600_000, 86_400_000] as const;

/** A share or a count as a level (levels.ts). */
const level = z.number().int().min(0).max(HIGHEST_LEVEL);
/** The size of a number as a bucket (levels.ts). Negative for negative numbers. */
const bucket = z.number().int().min(-HIGHEST_LEVEL).max(HIGHEST_LEVEL);
/** Pairs of a bucket and the share of numbers in it. */
const weighted = z.array(z.tuple([bucket, level])).max(4000);
const percent = z.number().int().min(0).max(100);
/** Position of a field (see {@link slotsOf}), or of a word in the list `words` of a Markov chain. */
const place = z.number().int().min(0).max(HIGHEST_LEVEL);

/**
 * Maximum number of words for which a frequent text is stored word by word. For a longer text, only the length is stored, and the Markov
 * chain generates a text of this length.
 */
export const MOST_HEAD_WORDS = 60;

/** Number of generated texts to which the number of new terms (`news` in {@link chainSchema}) refers. */
export const PER_TEXTS = 100;

const eventsSchema = z.strictObject({
  /** Share of the documents whose value is frequent and has occurred before. */
  head: level,
  /** Share of the documents whose value is frequent and occurs for the first time. */
  first: level,
  /** Share of the documents whose value is rare and occurs for the first time. */
  fresh: level,
  /**
   * Shares of documents that repeat a recent value, by distance. Each pair contains n, and the share of documents with the same value as
   * the document 2^n to 2^(n+1) - 1 documents earlier.
   */
  near: z.array(z.tuple([z.number().int().min(0).max(12), level])).max(13),
  /** Share of documents that repeat a rare value from an earlier document that is farther away than the distances in `near`. */
  old: level,
});

/**
 * Describes how often the values of a field repeat, when new values occur, and on which other fields the values depend. A value is
 * *frequent* if the profile describes it individually; all others are *rare*.
 */
const drawSchema = z.strictObject({
  /**
   * The frequent values. The items of each entry are the length (texts) or the bucket (numbers), and the share of all documents. For a
   * short text, the positions of its words in the list `words` of the chain follow.
   */
  head: z.array(z.tuple([bucket, level, z.array(place).max(MOST_HEAD_WORDS).optional()])).max(HIGHEST_LEVEL),
  /**
   * The share of each frequent value, counted only in certain documents: those whose value is neither determined by another field nor kept
   * from the session's previous document.
   */
  drawn: z.array(level).max(HIGHEST_LEVEL).optional(),
  /**
   * Texts that are too rare for `head`, but that at least three documents have. Each text is a list of positions in `words` of the chain.
   */
  told: z.array(z.array(place).max(MOST_HEAD_WORDS)).max(HIGHEST_LEVEL).optional(),
  /** Among all repetitions of rare values, the share of those that repeat a text in `told`. */
  toldAgain: level.optional(),
  /** Share of rare values that only one document has. */
  once: level.optional(),
  /**
   * Values copied from the user's data, in the order of `head`. The generator uses them instead of generated values. Present only if the
   * user asked for them.
   */
  kept: z
    .array(exact(z.union([z.string(), z.number()])))
    .max(HIGHEST_LEVEL)
    .optional(),
  /** Number of examined documents that have a value in this field. */
  seen: level,
  /** Number of different rare values in the examined documents. */
  rare: level,
  /** Exponent of Heaps' law, in percent: how fast the number of different values grows with the number of documents. */
  growth: percent,
  /** Position of the field that best determines the value of this field. This other field is called the *parent*. */
  parent: place.optional(),
  /** Share of documents in which this field has the same value as in the last document with the same value of the parent. */
  copied: level.optional(),
  /**
   * Like `copied`, but only for documents in which the parent repeats its value from the previous document of the session. Documents in
   * which this field repeats its value too do not count.
   */
  copiedWithin: level.optional(),
  /** Position of a second field on which the value depends if neither the session nor the parent determines it. */
  second: place.optional(),
  /** Share of documents in which this field has the same value as in the last document with the same value of the second field. */
  copiedSecond: level.optional(),
  /** How often values are new or repeated, in documents with a new value of the parent. If the field has no parent, in all documents. */
  apart: eventsSchema,
  /** How often values are new or repeated, in documents with a repeated value of the parent. */
  beside: eventsSchema.optional(),
});

const contextSchema = z.tuple([z.array(place).max(2), z.array(z.tuple([place, level])).max(1000)]);

const chainSchema = z.strictObject({
  /**
   * The words of the texts. The items of each entry are the class of the word (words.ts), its length, and the characters after it. A word
   * that is the same in all texts also has a number, which identifies it within the field. If such a word occurs in several fields, it has
   * a second number, which identifies it across the fields.
   */
  words: z
    .array(z.tuple([z.enum(WORD_CLASSES), place, z.string().max(3), place.optional(), place.optional()]))
    .max(HIGHEST_LEVEL),
  /**
   * Describes which words follow which. Each entry contains up to two preceding words, and the words that may follow, each with its share.
   * A word is a position in `words`, from 1. The position 0 stands for the beginning of a text as a preceding word, and for its end as a
   * following word.
   */
  next: z.array(contextSchema).max(20_000),
  /** For words that vary from text to text: percentage of words that no earlier text contains. The other words repeat an earlier word. */
  fresh: percent,
  /** Number of terms that {@link PER_TEXTS} generated texts add to the terms of earlier texts. */
  news: level.optional(),
});

const makeSchema = z.union([
  z.strictObject({ chain: chainSchema }),
  z.strictObject({
    ip: z.strictObject({
      /** Percentage of IPv6 addresses. */
      six: percent,
      /** Number of different network prefixes (the first 16 bits) per 100 addresses. */
      networks: percent,
    }),
  }),
  z.strictObject({
    time: z.strictObject({
      form: z.enum(TIME_FORM_NAMES as [string, ...string[]]),
      /** The time in this field minus the document's time, in ms, as buckets. Negative for earlier times. Bucket 0 means the same time. */
      offsets: weighted,
    }),
  }),
  z.strictObject({
    number: z.strictObject({
      buckets: weighted,
      /** Number of digits after the decimal point. */
      decimals: z.number().int().min(0).max(18),
      /** Number of zeros at the end of whole numbers: 2 for 1500. */
      zeros: z.number().int().min(0).max(18),
      /** Maximum absolute value, for latitudes (90) and longitudes (180), in degrees. */
      within: z.union([z.literal(90), z.literal(180)]).optional(),
      /** Differences between successive documents, as buckets, for a number that always increases. */
      steps: weighted.optional(),
    }),
  }),
]);

const valueSchema = z.strictObject({
  of: z.enum(['string', 'number']),
  /** How the values repeat. Absent if each document has a different value. */
  draw: drawSchema.optional(),
  make: makeSchema,
});

/** Describes sessions: a session is a series of documents that belong together, such as the requests of one client. */
const sessionsSchema = z.strictObject({
  /** Share of documents that begin a session. All other documents continue one. */
  begin: level,
  /**
   * How long ago the continued session had its previous document: the number of other sessions that were continued since then. Each pair
   * contains this number, converted by `rankLevel` (sessions.ts), and the share of documents.
   */
  ranks: weighted,
  /** Sets of fields that keep their value when a session continues. A field is given by its position. */
  kept: z.array(z.array(place).max(100)).max(HIGHEST_LEVEL),
  /**
   * Probabilities of the sets in `kept` for the next document of a session. Each entry begins with the two numbers on which they depend.
   * The first is an index in `RANK_CLASSES`: how long ago the session's previous document was. The second is the position in `kept` of the
   * set that this previous document kept. -1 means that the previous document was the session's first, -2 stands for any set.
   */
  next: z.array(z.tuple([z.tuple([place, z.number().int().min(-2).max(HIGHEST_LEVEL)]), weighted])).max(4000),
});

const STATES = ['null', 'list', 'object', 'value', 'boolean'] as const;
export type State = (typeof STATES)[number];

export interface ProfiledObject {
  fields: ProfiledField[];
  /** Combinations of fields that occur together in a document. Each consists of its share and the positions of its fields in `fields`. */
  shapes: [number, number[]][];
}

export interface ProfiledField {
  name: string;
  /** Types of the field's value, each with its share. */
  states: Partial<Record<State, number>>;
  /** Lengths of lists, each with its share. */
  lengths?: [number, number][] | undefined;
  items?: ProfiledField | undefined;
  object?: ProfiledObject | undefined;
  value?: ProfiledValue | undefined;
  /** Share of `true` among the boolean values. */
  yes?: number | undefined;
}

const objectSchema: z.ZodType<ProfiledObject> = z.lazy(() =>
  z.strictObject({
    fields: z.array(fieldSchema).max(HIGHEST_LEVEL),
    shapes: z.array(z.tuple([level, z.array(place).max(HIGHEST_LEVEL)])).max(200),
  }),
);

const fieldSchema: z.ZodType<ProfiledField> = z.lazy(() =>
  z.strictObject({
    name: z.string().max(1000),
    states: z.partialRecord(z.enum(STATES), level),
    lengths: weighted.optional() as z.ZodType<[number, number][] | undefined>,
    items: fieldSchema.optional(),
    object: objectSchema.optional(),
    value: valueSchema.optional(),
    yes: level.optional(),
  }),
);

export const profileSchema = z.strictObject({
  version: z.literal(PROFILE_VERSION),
  learned: z.strictObject({
    from: z.enum(['index', 'file']),
    /** Number of documents that were examined. */
    documents: level,
    /** Number of documents in the index or the file. */
    total: level,
    /** Mean size of the examined documents, in bytes. */
    bytes: level,
  }),
  /** Mapping for an index that will contain the generated documents. */
  mapping: z.record(z.string(), z.unknown()),
  /** Settings for an index that will contain the generated documents. */
  settings: z.record(z.string(), z.unknown()),
  /**
   * Fields whose original values the profile contains, because the user asked for it. `from`: only values that at least this many documents
   * have are included. Absent if there are no such fields.
   */
  keeps: z
    .strictObject({ fields: z.array(z.string().max(1000)), from: z.number().int().min(2).max(HIGHEST_LEVEL) })
    .optional(),
  /**
   * Time of a document minus the latest time of all earlier documents, in ms, as buckets. Negative for documents that arrive out of order.
   */
  clock: weighted,
  /** Share of documents whose time no earlier document has. */
  times: level.optional(),
  /** Precision of all times, as an index in CLOCK_STEPS. */
  step: z.number().int().min(0).max(4),
  sessions: sessionsSchema.optional(),
  root: objectSchema,
});

export type Profile = z.output<typeof profileSchema>;
export type ProfiledValue = z.output<typeof valueSchema>;
export type ProfiledDraw = z.output<typeof drawSchema>;
export type ProfiledSessions = z.output<typeof sessionsSchema>;
export type Events = z.output<typeof eventsSchema>;
export type Chain = z.output<typeof chainSchema>;
/**
 * Special value in `next` of a chain, where the position of a word is expected. It means: draw the next word by the last word only, instead
 * of the last two.
 */
export const FEWER_WORDS = 999;

export type Weighted = [number, number][];

/** Maximum size of a profile that `dyno learn` writes, in bytes. */
export const LARGEST_PROFILE = 64 * 1024 ** 2;

const MOST_PROBLEMS_SHOWN = 5;

/**
 * Returns the fields that are not in lists. The fields of an object directly follow the object. In a profile, the position of a field is
 * its index in this list.
 */
export function slotsOf(root: ProfiledObject): ProfiledField[] {
  return root.fields.flatMap((field) => [
    field,
    ...(field.object === undefined ? [] : slotsOf(field.object)),
  ]);
}

/** Parses a profile. Throws a DynoError `profile.invalid` or `profile.version` (input), which contains the file name and the problem. */
export function readProfile(text: string, file: string): Profile {
  let read: unknown;
  try {
    read = settledBy(profileSchema, parseExact(text));
  } catch (error) {
    throw inputError('profile.invalid', file, `is not JSON: ${messageOf(error)}`, {
      allowed: 'a profile written by `dyno learn`',
    });
  }
  const version = (read as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version !== PROFILE_VERSION)
    throw inputError('profile.version', file, 'has a version that this Dyno cannot read', {
      found: String(version),
      allowed: `version ${PROFILE_VERSION}: learn it again with this Dyno`,
    });
  const parsed = profileSchema.safeParse(read);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, MOST_PROBLEMS_SHOWN).map(({ path, message }): Problem => ({
      code: 'profile.invalid',
      path: `${file}: ${path.map(String).join('.')}`,
      message: `is not a valid profile: ${message}`,
      allowed: 'a profile written by `dyno learn`',
    }));
    throw new DynoError('input', problems);
  }
  checkPlaces(parsed.data, file);
  return parsed.data;
}

/** Checks the positions of fields and words. The schema cannot check them, and the generator would fail or create empty documents. */
function checkPlaces({ root, sessions }: Profile, file: string): void {
  const slots = slotsOf(root);
  const wrong = (message: string): never => {
    throw inputError('profile.invalid', file, message, { allowed: 'a profile written by `dyno learn`' });
  };
  const isSlot = (at: number): boolean => slots[at]?.value !== undefined;
  const visitObject = ({ fields, shapes }: ProfiledObject, inList: boolean): void => {
    for (const [, places] of shapes)
      if (places.some((at) => at >= fields.length)) wrong('a shape contains an unknown field');
    for (const field of fields) visit(field, inList);
  };
  const visit = ({ name, states, items, lengths, object, value }: ProfiledField, inList: boolean): void => {
    if (states.list !== undefined && (items === undefined || lengths === undefined))
      wrong(`${name} has lists without elements`);
    if (states.object !== undefined && object === undefined) wrong(`${name} has objects without fields`);
    if (states.value !== undefined && value === undefined) wrong(`${name} has values without a description`);
    for (const parent of [value?.draw?.parent, value?.draw?.second])
      if (parent !== undefined && (inList || !isSlot(parent) || slots[parent]!.value!.draw === undefined))
        wrong(`${name} depends on an unknown field`);
    if (value !== undefined && 'chain' in value.make) {
      const { words, next } = value.make.chain;
      const texts = [...(value.draw?.head ?? []).map(([, , own = []]) => own), ...(value.draw?.told ?? [])];
      for (const own of texts)
        if (own.some((at) => at < 1 || at > words.length)) wrong(`${name} has an unknown word`);
      for (const [context, following] of next)
        if (
          [
            ...context,
            ...following.map(([at]) => (at === FEWER_WORDS && context.length === 2 ? 0 : at)),
          ].some((at) => at > words.length)
        )
          wrong(`${name} has an unknown word`);
      for (const [kind, size] of words) {
        if (kind === 'r' && (inList || !isSlot(size))) wrong(`${name} refers to an unknown field`);
        if (kind === 't' && size >= TIME_FORM_NAMES.length) wrong(`${name} has a time in an unknown form`);
      }
    }
    if (items !== undefined) visit(items, true);
    if (object !== undefined) visitObject(object, inList);
  };
  visitObject(root, false);
  if (sessions !== undefined) {
    const { kept, next } = sessions;
    if (kept.flat().some((at) => !isSlot(at) || slots[at]!.value!.draw === undefined))
      wrong('a session keeps an unknown field');
    if (next.some(([, following]) => following.some(([set]) => kept[set] === undefined)))
      wrong('a session keeps an unknown set of fields');
  }
  drawOrder(root, wrong);
}

/**
 * Returns the positions of all fields with texts or numbers. Each field comes after the fields on which it depends. Calls `onCycle`, which
 * must throw, if fields depend on each other in a circle.
 */
export function drawOrder(
  root: ProfiledObject,
  onCycle: (message: string) => never = (message) => {
    throw new Error(message);
  },
): number[] {
  const slots = slotsOf(root);
  const order: number[] = [];
  const state = new Uint8Array(slots.length);
  const needs = ({ value }: ProfiledField): number[] => {
    if (value === undefined) return [];
    const { draw, make } = value;
    const references =
      'chain' in make ? make.chain.words.filter(([kind]) => kind === 'r').map(([, at]) => at) : [];
    return [draw?.parent, draw?.second, ...references].filter((at) => at !== undefined);
  };
  const visit = (at: number): void => {
    if (state[at] === 2) return;
    if (state[at] === 1) onCycle(`${slots[at]!.name} depends on itself`);
    state[at] = 1;
    for (const other of needs(slots[at]!)) visit(other);
    state[at] = 2;
    if (slots[at]!.value !== undefined) order.push(at);
  };
  for (const at of slots.keys()) visit(at);
  return order;
}
