/** Sources of documents for ingest tasks and preloads: a generator, a profile, a file, or a set of vectors. */
import * as z from 'zod';
import { writtenAt, type FormRow, type Text, type Way, type Written } from '../fields/form';
import { exactlyOne } from '../fields/schema';
import { GENERATOR_NAMES, GENERATORS, LINE_GENERATORS, type GeneratorName } from '../generators/registry';
import { vectorProblems, vectorSet, vectorsSchema, type VectorSet } from '../generators/vectors';
import type { Problem } from '../problem';

/** Schema of generated documents that are similar to the user's documents, which a profile describes. */
export const profiledSchema = z.strictObject({
  /**
   * File with a profile that `dyno learn` has written. The path is relative to the file of the definition. See [learn](learn.md).
   * @example shop.profile.json
   */
  profile: z.string().min(1),
  /**
   * Time in each document. `now` (the default): the time when the document is generated. `learned`: the times have the same intervals as in
   * the learned documents.
   */
  time: z.enum(['now', 'learned']).optional(),
});

export const sourceSchema = z
  .strictObject({
    /**
     * Generator of the documents. The same seed generates the same documents. `apache-access-lines` generates raw log lines. `storefront`
     * generates products of 7000 stores with very different numbers of products. An object with `profile` generates documents that are
     * similar to your own.
     * @example apache-logs
     */
    generator: z.union([z.enum(GENERATOR_NAMES), profiledSchema]).optional(),
    /**
     * File with the documents. The path is relative to the file of the definition. Files in gzip or zstd format are decompressed while Dyno
     * reads them. The name may contain a [date](files.md#file-names-with-a-date). [Files](files.md) lists the documents that Dyno refuses.
     * @example corpus.ndjson.zst
     */
    file: z.string().min(1).optional(),
    /**
     * Documents that contain a vector each. The vectors are generated or come from a file. See [vectors](vectors.md).
     * @example { dimensions: 96, clusters: 100 }
     */
    vectors: vectorsSchema.optional(),
    /**
     * Format of the file. `ndjson`: one JSON document per line. `lines`: plain text. Each line becomes a document `{"@timestamp": now,
     * "message": line}`.
     */
    format: z.enum(['ndjson', 'lines']).default('ndjson'),
    /** Whether Dyno reads the file again from the start after its end. Otherwise, the task ends with the file. */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('generator', 'file', 'vectors'));

export type SourceDefinition = z.output<typeof sourceSchema>;

/** Returns the name of the generator; undefined for other sources, including profiles. */
export const generatorOf = ({ generator }: Pick<SourceDefinition, 'generator'>): GeneratorName | undefined =>
  typeof generator === 'string' ? generator : undefined;

/** Returns the file with the profile from which documents are generated; undefined for other sources. */
export const profileOf = ({ generator }: Pick<SourceDefinition, 'generator'>): string | undefined =>
  typeof generator === 'object' ? generator.profile : undefined;

/** Returns whether the source contains raw lines, which can be parsed. */
export const givesLines = (source: Pick<SourceDefinition, 'generator' | 'format'>): boolean =>
  source.generator === undefined
    ? source.format === 'lines'
    : LINE_GENERATORS.includes(generatorOf(source) ?? '');

/** Returns a name for the documents in a sentence. */
export const sourceName = (source: SourceDefinition): string => {
  const { file, vectors } = source;
  return (
    generatorOf(source) ??
    profileOf(source) ??
    file ??
    (vectors!.file === undefined ? `vectors of ${vectors!.dimensions} dimensions` : vectors!.file)
  );
};

/** Returns problems that the schema cannot find. `path`: path of the source in the definition. */
export const sourceProblems = ({ vectors }: SourceDefinition, path: string): Problem[] =>
  vectors === undefined ? [] : vectorProblems(vectors, `${path}.vectors`);

/** Returns the path of the source's file, and the key of the source that contains it. Returns undefined if the source has no file. */
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

/** Returns the choice of the form that matches the source of `work`. */
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

/** Help text for a file that must be on the machine of the load generator. */
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
        // Other keys next to the name of a generator are kept when the user chooses another generator.
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
                text: '{place} dyno learn writes it, together with a definition and its mapping.',
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
                  text: { id: 'dyno.editor.source.profileNow', text: 'Time of generation' },
                },
                {
                  value: 'learned',
                  text: {
                    id: 'dyno.editor.source.profileLearned',
                    text: 'Same intervals as in your documents',
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
