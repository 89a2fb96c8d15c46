/** Where documents come from: a generator, a profile, a file, or a set of vectors. Of ingestions, and of what is loaded before a trial. */
import * as z from 'zod';
import { writtenAt, type FormRow, type Text, type Way, type Written } from '../fields/form';
import { exactlyOne } from '../fields/schema';
import { GENERATOR_NAMES, GENERATORS, LINE_GENERATORS, type GeneratorName } from '../generators/registry';
import { vectorProblems, vectorSet, vectorsSchema, type VectorSet } from '../generators/vectors';
import type { Problem } from '../problem';

/** Documents like those that a profile was learned from. */
export const profiledSchema = z.strictObject({
  /**
   * A profile that `dyno learn` wrote, relative to the definition's file; see [learn](learn.md).
   * @example shop.profile.json
   */
  profile: z.string().min(1),
  /** `now`: documents have the time at which they are made, as without it. `learned`: their times are as far apart as in the documents
   * that were learned from. */
  time: z.enum(['now', 'learned']).optional(),
});

export const sourceSchema = z
  .strictObject({
    /**
     * Generated documents; the same seed makes the same ones. `apache-access-lines` makes raw lines, `storefront` products of
     * 7000 stores of very unequal size. With `profile` in place of a name: documents like your own.
     * @example apache-logs
     */
    generator: z.union([z.enum(GENERATOR_NAMES), profiledSchema]).optional(),
    /**
     * A file of documents, relative to the definition's file; gzip and zstd are unpacked while it is read. Its name may hold a
     * [date](files.md#file-names-with-a-date). See [files](files.md) for what is refused as documents.
     * @example corpus.ndjson.zst
     */
    file: z.string().min(1).optional(),
    /**
     * Documents of one vector each, generated or from a file; see [vectors](vectors.md).
     * @example { dimensions: 96, clusters: 100 }
     */
    vectors: vectorsSchema.optional(),
    /** `ndjson`: a JSON document on each line. `lines`: plain lines, each becomes `{"@timestamp": now, "message": line}`. */
    format: z.enum(['ndjson', 'lines']).default('ndjson'),
    /** Whether the file begins again when it ends; otherwise the task ends with it. */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('generator', 'file', 'vectors'));

export type SourceDefinition = z.output<typeof sourceSchema>;

/** The name of its generator; undefined where its documents come from elsewhere, a profile included. */
export const generatorOf = ({ generator }: Pick<SourceDefinition, 'generator'>): GeneratorName | undefined =>
  typeof generator === 'string' ? generator : undefined;

/** The file of its profile. */
export const profileOf = ({ generator }: Pick<SourceDefinition, 'generator'>): string | undefined =>
  typeof generator === 'object' ? generator.profile : undefined;

/** Whether it gives raw lines, which can be parsed. */
export const givesLines = (source: Pick<SourceDefinition, 'generator' | 'format'>): boolean =>
  source.generator === undefined
    ? source.format === 'lines'
    : LINE_GENERATORS.includes(generatorOf(source) ?? '');

/** What documents are called in a sentence. */
export const sourceName = (source: SourceDefinition): string => {
  const { file, vectors } = source;
  return (
    generatorOf(source) ??
    profileOf(source) ??
    file ??
    (vectors!.file === undefined ? `vectors of ${vectors!.dimensions} dimensions` : vectors!.file)
  );
};

/** What is wrong though the schema takes it. `path` is that of the source. */
export const sourceProblems = ({ vectors }: SourceDefinition, path: string): Problem[] =>
  vectors === undefined ? [] : vectorProblems(vectors, `${path}.vectors`);

/** The file that it reads, and where that is written below the source. */
export function fileOfSource(source: SourceDefinition): { key: string; file: string } | undefined {
  const { file, vectors } = source;
  const profile = profileOf(source);
  if (profile !== undefined) return { key: 'generator.profile', file: profile };
  if (file !== undefined) return { key: 'file', file };
  return vectors?.file === undefined ? undefined : { key: 'vectors.file', file: vectors.file };
}

export type SourceJob =
  | { kind: 'generator'; generator: GeneratorName }
  | { kind: 'profile'; file: string; time: 'now' | 'learned' }
  | { kind: 'file'; file: string; format: 'ndjson' | 'lines'; repeat: boolean }
  | { kind: 'vectors'; set: VectorSet; field: string };

export function sourceJob(
  { generator, file, vectors, format, repeat }: SourceDefinition,
  resolveFile: (file: string) => string,
): SourceJob {
  if (typeof generator === 'object')
    return { kind: 'profile', file: resolveFile(generator.profile), time: generator.time ?? 'now' };
  if (generator !== undefined) return { kind: 'generator', generator };
  if (vectors !== undefined)
    return { kind: 'vectors', set: vectorSet(vectors, resolveFile), field: vectors.field };
  return { kind: 'file', file: resolveFile(file!), format, repeat };
}

const FILE = 'file:';
const VECTORS = 'vectors:';
const PROFILE = 'profile:';

/** Which of the ways to write a source is the one of `work`. */
function wayOfSource(work: Written): unknown {
  const { file, vectors, generator } = writtenAt(work, 'source');
  if (file !== undefined) return FILE;
  if (vectors !== undefined) return VECTORS;
  return typeof generator === 'object' && generator !== null ? PROFILE : generator;
}

const way = (value: string, text: Text, first: object, rows: readonly FormRow[]): Way => ({
  value,
  text,
  is: (work) => wayOfSource(work) === value,
  writes: () => [{ key: 'source', value: first }],
  rows,
});

/** What is read from a file on the host of the load generator. */
export const FILE_HELP: Text = {
  id: 'dyno.editor.source.pathHelp',
  text: '{place} .gz and .zst are unpacked.',
};

export const SOURCE_ROWS: readonly FormRow<'preview'>[] = [
  {
    kind: 'ways',
    key: 'source',
    label: { id: 'dyno.editor.source.label', text: 'Documents' },
    ways: [
      ...GENERATORS.map(({ name, label }): Way => ({
        value: name,
        text: label,
        is: (work) => wayOfSource(work) === name,
        // What else is written beside the name of a generator stays when another one is chosen.
        writes: (work) =>
          [FILE, VECTORS, PROFILE].includes(String(wayOfSource(work)))
            ? [{ key: 'source', value: { generator: name } }]
            : [{ key: 'source.generator', value: name }],
      })),
      way(
        PROFILE,
        { id: 'dyno.editor.source.profile', text: 'Like your own documents (a profile of dyno learn)' },
        { generator: { profile: 'learned.profile.json' } },
        [
          [
            {
              kind: 'text',
              key: 'source.generator.profile',
              required: true,
              label: { id: 'dyno.editor.source.profileFile', text: 'Profile' },
              help: {
                id: 'dyno.editor.source.profileHelp',
                text: '{place} dyno learn writes it, and a definition with the mapping that its documents need.',
              },
            },
            {
              kind: 'choice',
              key: 'source.generator.time',
              fallback: 'now',
              label: { id: 'dyno.editor.source.profileTime', text: 'Times' },
              options: [
                {
                  value: 'now',
                  text: { id: 'dyno.editor.source.profileNow', text: 'At which documents are made' },
                },
                {
                  value: 'learned',
                  text: {
                    id: 'dyno.editor.source.profileLearned',
                    text: 'As far apart as in your documents',
                  },
                },
              ],
            },
          ],
        ],
      ),
      way(
        VECTORS,
        { id: 'dyno.editor.source.vectors', text: 'Vectors' },
        { vectors: { dimensions: 96, clusters: 100 } },
        [
          {
            kind: 'structure',
            key: 'source.vectors',
            lines: 2,
            placeholder: 'dimensions: 96',
            label: { id: 'dyno.editor.source.vectorSet', text: 'Set of vectors' },
          },
        ],
      ),
      way(
        FILE,
        { id: 'dyno.editor.source.file', text: 'From a file' },
        { file: 'documents.ndjson', repeat: true },
        [
          [
            {
              kind: 'text',
              key: 'source.file',
              required: true,
              label: { id: 'dyno.editor.source.path', text: 'File' },
              help: FILE_HELP,
            },
            {
              kind: 'choice',
              key: 'source.format',
              fallback: 'ndjson',
              label: { id: 'dyno.editor.source.format', text: 'Format' },
              options: [
                {
                  value: 'ndjson',
                  text: { id: 'dyno.editor.source.ndjson', text: 'One JSON document per line' },
                },
                { value: 'lines', text: { id: 'dyno.editor.source.lines', text: 'Plain lines' } },
              ],
            },
          ],
          {
            kind: 'switch',
            key: 'source.repeat',
            label: { id: 'dyno.editor.source.repeat', text: 'Start again at the end of the file' },
          },
        ],
      ),
    ],
  },
  { kind: 'part', part: 'preview' },
];
