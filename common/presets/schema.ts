/** Schemas of the YAML files in this folder. README.md explains the keys. */
import * as z from 'zod';

const sentence = z.string({ error: 'text' }).min(1, { error: 'text that is not empty' });
const sentences = z.array(sentence, { error: 'a list of texts' });
const NAME = 'letters, digits, - and _, beginning with a letter';
/** Name of a preset, column, label or fragment. */
const name = z.string({ error: 'a name' }).regex(/^[a-z][\w-]*$/i, { error: NAME });
/** Returns the schema of an object whose keys are names. `kind`: description of its contents, for errors. */
const byName = <T extends z.ZodType>(value: T, kind: string) =>
  z.record(name, value, {
    error: ({ code }) => (code === 'invalid_key' ? `names of ${NAME}` : `an object of ${kind}`),
  });

/**
 * Schema of a note: a sentence about missing or inconsistent information in the published benchmark. It can also list the figures that it
 * concerns.
 */
const note = z.union(
  [
    sentence,
    z.strictObject({
      note: sentence,
      /** Columns that the note concerns. Default: all columns. */
      figures: z.array(name).min(1).optional(),
      /**
       * Factor levels of the rows that the note concerns. The key is the path of a factor; the value is a level or a list of levels.
       * Default: all rows.
       */
      levels: z.record(z.string(), z.unknown()).optional(),
    }),
  ],
  { error: 'text, or { note: text, figures: columns, levels: of their rows }' },
);

/** Fragments that files insert with `use`. */
const fragments = byName(z.unknown(), 'fragments by their names');

/** Schema of the file `shared.yaml`, with the fragments that all other files can use. */
export const sharedFile = z.strictObject({ fragments });

/** Schema of the file `account.yaml`, which describes a published benchmark. There is one such file in each folder of presets. */
export const accountFile = z.strictObject({
  title: sentence,
  /** Address of the publication; absent for Dyno's own experiments. */
  url: z.url({ protocol: /^https?$/, error: 'an address that begins with https:// or http://' }).optional(),
  /** Position in the list, from 1. Benchmarks without a position come last, in the order of their folder names. */
  place: z.int({ error: 'a whole number' }).min(1).optional(),
  /** True for Dyno's own experiments, which have no published figures. */
  own: z.literal(true, { error: 'true, or nothing' }).optional(),
  /**
   * Number of measurements of each combination of factor levels, in words, such as `one trial of each cell`. Texts about the benchmark
   * contain these words.
   */
  repeated: sentence,
  /** Names of presets in their order. Presets that are not listed come last, by name. */
  order: z.array(name, { error: 'a list of names of presets' }).default([]),
  fragments: fragments.default({}),
});

/** Schema of a preset, which is the file `<account>/<preset>.yaml`. */
export const presetFile = z.strictObject({
  /** Description of the preset in one line, for lists of presets. */
  summary: z.string({ error: 'text' }).regex(/^[^\n]{10,100}$/, { error: 'a line of 10 to 100 characters' }),
  /** The definition as users write it: `version: 1`, and so on. */
  definition: z.record(z.string(), z.unknown(), { error: 'a definition' }),
  /**
   * Differences of the short form from the definition: paths and their new values. The short form has the same factors, but shorter phases.
   */
  quick: z.record(z.string(), z.unknown(), { error: 'an object of paths and values' }),
  /**
   * Name of another preset, of which this preset is a variant: it measures the same quantities in another way. The published figures and
   * conditions of the other preset apply to this preset too.
   */
  'variant-of': name.optional(),
  /** Conditions of the measurement: version, machines, load, duration. A variant lists only additional conditions. */
  conditions: sentences.default([]),
  /**
   * Columns of the published figures that are compared with metrics of a run. The key is the column, the value is the metric. The most
   * important column comes first.
   */
  compared: byName(z.string({ error: 'a metric' }), 'columns and metrics').default({}),
  /** Missing information and inconsistencies in the published benchmark. */
  notes: z.array(note, { error: 'a list of texts' }).default([]),
  /** Differences of this experiment from the published benchmark. */
  changes: sentences.default([]),
});

/** A number in the unit of its column, a text such as the shard layout `2-2-1`, or null if none was published. */
const printedFigure = z.union([z.number(), z.string(), z.null()], {
  error: 'a number, a text such as 2-2-1, or null if none was published',
});

const publishedRow = z.strictObject({
  /** Factor levels to which the row belongs; the key is the path of a factor. */
  levels: z.record(z.string(), z.unknown(), { error: 'an object of factor paths and levels' }),
  /**
   * Labels of the machines (`machine: DS4`). Present if the same factor levels were measured on several types of machines. The row is
   * compared with runs that have the same label. Runs without a label are compared with the first row for the factor levels.
   */
  labels: byName(z.string({ error: 'text' }), 'labels and their levels').optional(),
  /** Figures as printed, by column. */
  figures: byName(printedFigure, 'columns and figures'),
  /** Reasons why printed figures are questionable; the key is the column. The figures are stored as printed, and reports flag them. */
  doubts: byName(sentence, 'columns and sentences').optional(),
});

/** Schema of published figures, which are in the file `<account>/<preset>.figures.yaml` of a preset. */
export const figuresFile = z.strictObject({
  /** Unit of each column. */
  units: byName(sentence, 'columns and units'),
  rows: z.array(publishedRow, { error: 'a list of rows' }).min(1, { error: 'at least one row' }),
});

export type PrintedFigure = z.infer<typeof printedFigure>;
export type PublishedRow = z.infer<typeof publishedRow>;
export type AccountFile = z.infer<typeof accountFile>;
export type PresetFile = z.infer<typeof presetFile>;
export type FiguresFile = z.infer<typeof figuresFile>;
