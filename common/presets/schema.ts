/** What the YAML files of this folder may hold; README.md says what each key is for. */
import * as z from 'zod';

const sentence = z.string({ error: 'text' }).min(1, { error: 'text that is not empty' });
const sentences = z.array(sentence, { error: 'a list of texts' });
const NAME = 'letters, digits, - and _, beginning with a letter';
/** Of presets, columns, labels and fragments. */
const name = z.string({ error: 'a name' }).regex(/^[a-z][\w-]*$/i, { error: NAME });
/** `kind` says what it is an object of. */
const byName = <T extends z.ZodType>(value: T, kind: string) =>
  z.record(name, value, {
    error: ({ code }) => (code === 'invalid_key' ? `names of ${NAME}` : `an object of ${kind}`),
  });

/** A sentence on what the account leaves open or gets wrong; with the figures that it concerns, where it concerns some. */
const note = z.union(
  [
    sentence,
    z.strictObject({
      note: sentence,
      /** Columns of the figures. */
      figures: z.array(name).min(1).optional(),
      /** Levels of the rows, by factor path; all rows without it. Of one path, any of a list. */
      levels: z.record(z.string(), z.unknown()).optional(),
    }),
  ],
  { error: 'text, or { note: text, figures: columns, levels: of their rows }' },
);

/** Pieces that files name by `use`. */
const fragments = byName(z.unknown(), 'fragments by their names');

/** `shared.yaml`: fragments for the files of all accounts. */
export const sharedFile = z.strictObject({ fragments });

/** `<account>/account.yaml`. */
export const accountFile = z.strictObject({
  title: sentence,
  /** Address of the published article; none for Dyno's own experiments. */
  url: z.url({ protocol: /^https?$/, error: 'an address that begins with https:// or http://' }).optional(),
  /** Where the account stands among the others, from 1; those without a place come last, by the names of their folders. */
  place: z.int({ error: 'a whole number' }).min(1).optional(),
  /** It is no account: its experiments come with Dyno, and nobody has published figures of them. */
  own: z.literal(true, { error: 'true, or nothing' }).optional(),
  /** How often each cell was measured, to stand in a sentence: `one trial of each cell`. Its figures have no interval. */
  repeated: sentence,
  /** Names of presets in the order of the account; those that are not named come last, by their names. */
  order: z.array(name, { error: 'a list of names of presets' }).default([]),
  fragments: fragments.default({}),
});

/** `<account>/<preset>.yaml`. */
export const presetFile = z.strictObject({
  /** One line for the list. */
  summary: z.string({ error: 'text' }).regex(/^[^\n]{10,100}$/, { error: 'a line of 10 to 100 characters' }),
  /** As people write one; `version: 1` and so on. */
  definition: z.record(z.string(), z.unknown(), { error: 'a definition' }),
  /** Paths and values that make the short form: same factors, shorter measure. */
  quick: z.record(z.string(), z.unknown(), { error: 'an object of paths and values' }),
  /**
   * Another preset of the account, which measures the same in another way: its figures and conditions are those of this one,
   * too, so that they are written once.
   */
  'variant-of': name.optional(),
  /** What stood under the measurement: version, machines, load, duration. Those of a variant follow those that it shares. */
  conditions: sentences.default([]),
  /** Printed columns that a run has a figure of its own for, with its metric; the one that matters most first. */
  compared: byName(z.string({ error: 'a metric' }), 'columns and metrics').default({}),
  /** What the account leaves open, and what in it does not add up. */
  notes: z.array(note, { error: 'a list of texts' }).default([]),
  /** What had to change, and where the experiment departs from the account on purpose. */
  changes: sentences.default([]),
});

/** A number in the unit of its column, a text such as the shard layout `2-2-1`, or null where the account gives none. */
const printedFigure = z.union([z.number(), z.string(), z.null()], {
  error: 'a number, a text such as 2-2-1, or null where the account gives none',
});

const publishedRow = z.strictObject({
  /** The levels of the cell that it belongs to, by factor path. */
  levels: z.record(z.string(), z.unknown(), { error: 'an object of factor paths and levels' }),
  /**
   * Labels of the environment, `machine: DS4`, where the account measured the same cells in several: the row stands beside
   * runs of the same label. Where the run has none of that name, the first of such rows does.
   */
  labels: byName(z.string({ error: 'text' }), 'labels and their levels').optional(),
  /** As printed, by column. */
  figures: byName(printedFigure, 'columns and figures'),
  /** Why a printed figure is doubtful, by column; it stands as it was printed, and is marked. */
  doubts: byName(sentence, 'columns and sentences').optional(),
});

/** `<account>/<preset>.figures.yaml`, beside those whose account prints figures. */
export const figuresFile = z.strictObject({
  /** What the number of each column counts. */
  units: byName(sentence, 'columns and units'),
  rows: z.array(publishedRow, { error: 'a list of rows' }).min(1, { error: 'at least one row' }),
});

export type PrintedFigure = z.infer<typeof printedFigure>;
export type PublishedRow = z.infer<typeof publishedRow>;
export type AccountFile = z.infer<typeof accountFile>;
export type PresetFile = z.infer<typeof presetFile>;
export type FiguresFile = z.infer<typeof figuresFile>;
