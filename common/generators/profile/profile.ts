/**
 * A profile: what documents are like, without a value of theirs. `dyno learn` writes it, `generator: { profile: FILE }` makes
 * documents of it. Words are kinds and lengths, numbers are buckets, frequencies are steps of a logarithm (levels.ts), and
 * what fewer than three documents share is only counted.
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

/** Times are whole milliseconds, seconds, minutes, hours, or days; ms. */
export const CLOCK_STEPS = [1, 1000, 60_000, 3_600_000, 86_400_000] as const;

const level = z.number().int().min(0).max(HIGHEST_LEVEL);
/** Negative for negative numbers. */
const bucket = z.number().int().min(-HIGHEST_LEVEL).max(HIGHEST_LEVEL);
/** What, and its share. */
const weighted = z.array(z.tuple([bucket, level])).max(4000);
const percent = z.number().int().min(0).max(100);
const place = z.number().int().min(0).max(HIGHEST_LEVEL);

/** Frequent texts of more words are made of what the chain has, at their length. */
export const MOST_HEAD_WORDS = 60;

/** Texts by which new terms are counted. */
export const PER_TEXTS = 100;

const eventsSchema = z.strictObject({
  /** One of the frequent values that was there before, and one that was not. */
  head: level,
  first: level,
  /** A value that was not there before. */
  fresh: level,
  /** One that stood so many documents before, as the exponent of 2. */
  near: z.array(z.tuple([z.number().int().min(0).max(12), level])).max(13),
  /** Any other that was there before. */
  old: level,
});

/** Values that come again: how often each of them does, when new ones come, and on which other field they depend. */
const drawSchema = z.strictObject({
  /** Of each frequent value its length or bucket, its share, and of a short text its words in the chain. */
  head: z.array(z.tuple([bucket, level, z.array(place).max(MOST_HEAD_WORDS).optional()])).max(HIGHEST_LEVEL),
  /** Of each frequent value, its share among those that neither session nor parent gave, and the second field, of a known value, did not either. */
  drawn: z.array(level).max(HIGHEST_LEVEL).optional(),
  /** Words of those among the others that several documents have. */
  told: z.array(z.array(place).max(MOST_HEAD_WORDS)).max(HIGHEST_LEVEL).optional(),
  /** How often one of those comes again, where one of the others does. */
  toldAgain: level.optional(),
  /** Of the others, those that came once only. */
  once: level.optional(),
  /** In place of made values: only where it was asked for. */
  kept: z
    .array(exact(z.union([z.string(), z.number()])))
    .max(HIGHEST_LEVEL)
    .optional(),
  /** Occurrences that were looked at, and different values among those that are not frequent. */
  seen: level,
  rare: level,
  /** How different values grow with the number of documents, as the exponent of Heaps' law in percent. */
  growth: percent,
  /** The field of which the value says what this one is, and how often this is as it was when that had the same value. */
  parent: place.optional(),
  copied: level.optional(),
  /** The same where the parent kept its value from its session, and this one did not. */
  copiedWithin: level.optional(),
  /** Another field that says what this one is where neither the parent nor the session does, and how often. */
  second: place.optional(),
  copiedSecond: level.optional(),
  /** Where the parent has a new value, or there is none; and where it has one that was there before. */
  apart: eventsSchema,
  beside: eventsSchema.optional(),
});

const contextSchema = z.tuple([z.array(place).max(2), z.array(z.tuple([place, level])).max(1000)]);

const chainSchema = z.strictObject({
  /** Kind, length, what follows, for words that several values have a number, and one for those that other fields have, too. */
  words: z
    .array(z.tuple([z.enum(WORD_CLASSES), place, z.string().max(3), place.optional(), place.optional()]))
    .max(HIGHEST_LEVEL),
  /** What comes after up to two words, 0 for the beginning and the end; others count from 1. */
  next: z.array(contextSchema).max(20_000),
  /** Share of words without a number that are new, in percent. */
  fresh: percent,
  /** Terms that no text had before, in so many texts that the chain makes. */
  news: level.optional(),
});

const makeSchema = z.union([
  z.strictObject({ chain: chainSchema }),
  z.strictObject({
    ip: z.strictObject({
      /** Of version 6. */
      six: percent,
      /** Networks of 16 bits to an address. */
      networks: percent,
    }),
  }),
  z.strictObject({
    time: z.strictObject({
      form: z.enum(TIME_FORM_NAMES as [string, ...string[]]),
      /** ms after the document's time, negative before it; bucket 0 is the same time. */
      offsets: weighted,
    }),
  }),
  z.strictObject({
    number: z.strictObject({
      buckets: weighted,
      /** Behind the point. */
      decimals: z.number().int().min(0).max(18),
      /** At the end of a whole number. */
      zeros: z.number().int().min(0).max(18),
      /** Degrees of latitude or longitude end there. */
      within: z.union([z.literal(90), z.literal(180)]).optional(),
      /** From one document to the next: it counts up. */
      steps: weighted.optional(),
    }),
  }),
]);

const valueSchema = z.strictObject({
  of: z.enum(['string', 'number']),
  /** Without it each document has a value of its own. */
  draw: drawSchema.optional(),
  make: makeSchema,
});

/** Documents that go on where an earlier one left off. */
const sessionsSchema = z.strictObject({
  /** Documents that begin a session. */
  begin: level,
  /** Of others: how many sessions went on since theirs did, as a level of {@link rankLevel}; and how often. */
  ranks: weighted,
  /** Sets of fields that have the values that the session had last: their places. */
  kept: z.array(z.array(place).max(100)).max(HIGHEST_LEVEL),
  /** Of how far back it goes on (a place in RANK_CLASSES) and of what it kept last (-1 where it began, -2 for any): which sets follow. */
  next: z.array(z.tuple([z.tuple([place, z.number().int().min(-2).max(HIGHEST_LEVEL)]), weighted])).max(4000),
});

const STATES = ['null', 'list', 'object', 'value', 'boolean'] as const;
export type State = (typeof STATES)[number];

export interface ProfiledObject {
  fields: ProfiledField[];
  /** Which of the fields stand together: their places, and how often. */
  shapes: [number, number[]][];
}

export interface ProfiledField {
  name: string;
  /** What it is, where it is there. */
  states: Partial<Record<State, number>>;
  /** Of lists. */
  lengths?: [number, number][] | undefined;
  items?: ProfiledField | undefined;
  object?: ProfiledObject | undefined;
  value?: ProfiledValue | undefined;
  /** Of truth values, how many are true. */
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
    /** Looked at, and those of the whole. */
    documents: level,
    total: level,
    /** Mean size of a document as it came. */
    bytes: level,
  }),
  /** With which an index of these documents is made. */
  mapping: z.record(z.string(), z.unknown()),
  settings: z.record(z.string(), z.unknown()),
  /** Fields of which values stand in it as they are, for that was asked: those that at least so many documents have. Absent: of none. */
  keeps: z
    .strictObject({ fields: z.array(z.string().max(1000)), from: z.number().int().min(2).max(HIGHEST_LEVEL) })
    .optional(),
  /** From the newest time so far to that of a document, ms; negative where it lies before it. */
  clock: weighted,
  /** Of documents, those with a time that none had before. */
  times: level.optional(),
  /** Place in CLOCK_STEPS: the step of all times. */
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
/** In place of a word that follows: what follows the last word alone says which one it is. */
export const FEWER_WORDS = 999;

export type Weighted = [number, number][];

/** Larger ones are none that `dyno learn` writes; bytes. */
export const LARGEST_PROFILE = 64 * 1024 ** 2;

const MOST_PROBLEMS_SHOWN = 5;

/**
 * Fields that stand in no list, in the order in which they are found: their places are what references and parents name.
 * Those within an object come behind it.
 */
export function slotsOf(root: ProfiledObject): ProfiledField[] {
  return root.fields.flatMap((field) => [
    field,
    ...(field.object === undefined ? [] : slotsOf(field.object)),
  ]);
}

/** Throws a DynoError `profile.invalid` (input) that names the file and what is wrong in it. */
export function readProfile(text: string, file: string): Profile {
  let read: unknown;
  try {
    read = settledBy(profileSchema, parseExact(text));
  } catch (error) {
    throw inputError('profile.invalid', file, `is not JSON: ${messageOf(error)}`, {
      allowed: 'a profile that `dyno learn` wrote',
    });
  }
  const version = (read as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version !== PROFILE_VERSION)
    throw inputError('profile.version', file, 'is of another version than this Dyno reads', {
      found: String(version),
      allowed: `version ${PROFILE_VERSION}: learn it again with this Dyno`,
    });
  const parsed = profileSchema.safeParse(read);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, MOST_PROBLEMS_SHOWN).map(({ path, message }): Problem => ({
      code: 'profile.invalid',
      path: `${file}: ${path.map(String).join('.')}`,
      message: `is not as in a profile: ${message}`,
      allowed: 'a profile that `dyno learn` wrote',
    }));
    throw new DynoError('input', problems);
  }
  checkPlaces(parsed.data, file);
  return parsed.data;
}

/** What the schema cannot see: places that nothing has would make documents of nothing. */
function checkPlaces({ root, sessions }: Profile, file: string): void {
  const slots = slotsOf(root);
  const wrong = (message: string): never => {
    throw inputError('profile.invalid', file, message, { allowed: 'a profile that `dyno learn` wrote' });
  };
  const isSlot = (at: number): boolean => slots[at]?.value !== undefined;
  const visitObject = ({ fields, shapes }: ProfiledObject, inList: boolean): void => {
    for (const [, places] of shapes)
      if (places.some((at) => at >= fields.length)) wrong('a shape names a field that is not there');
    for (const field of fields) visit(field, inList);
  };
  const visit = ({ name, states, items, lengths, object, value }: ProfiledField, inList: boolean): void => {
    if (states.list !== undefined && (items === undefined || lengths === undefined))
      wrong(`${name} has lists of nothing`);
    if (states.object !== undefined && object === undefined) wrong(`${name} has objects of nothing`);
    if (states.value !== undefined && value === undefined) wrong(`${name} has values of nothing`);
    for (const parent of [value?.draw?.parent, value?.draw?.second])
      if (parent !== undefined && (inList || !isSlot(parent) || slots[parent]!.value!.draw === undefined))
        wrong(`${name} depends on a field that is not there`);
    if (value !== undefined && 'chain' in value.make) {
      const { words, next } = value.make.chain;
      const told = [...(value.draw?.head ?? []).map(([, , own = []]) => own), ...(value.draw?.told ?? [])];
      for (const own of told)
        if (own.some((at) => at < 1 || at > words.length)) wrong(`${name} has a word that is not there`);
      for (const [context, following] of next)
        if (
          [
            ...context,
            ...following.map(([at]) => (at === FEWER_WORDS && context.length === 2 ? 0 : at)),
          ].some((at) => at > words.length)
        )
          wrong(`${name} has a word that is not there`);
      for (const [kind, size] of words) {
        if (kind === 'r' && (inList || !isSlot(size))) wrong(`${name} refers to a field that is not there`);
        if (kind === 't' && size >= TIME_FORM_NAMES.length) wrong(`${name} has a time in no known form`);
      }
    }
    if (items !== undefined) visit(items, true);
    if (object !== undefined) visitObject(object, inList);
  };
  visitObject(root, false);
  if (sessions !== undefined) {
    const { kept, next } = sessions;
    if (kept.flat().some((at) => !isSlot(at) || slots[at]!.value!.draw === undefined))
      wrong('a session keeps a field that is not there');
    if (next.some(([, following]) => following.some(([set]) => kept[set] === undefined)))
      wrong('a session keeps a set of fields that is not there');
  }
  drawOrder(root, wrong);
}

/** Places of {@link slotsOf} with values, in an order in which each comes after those that it needs. */
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
