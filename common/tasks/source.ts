/** Where documents come from: a generator, a profile, a file, or a set of vectors. Of ingestions, and of what is loaded before a trial. */
import * as z from 'zod';
import { exactlyOne } from '../fields/schema';
import { GENERATOR_NAMES, LINE_GENERATORS, type GeneratorName } from '../generators/registry';
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
     * [date](experiments.md#files-of-yesterday). See [files](files.md) for what is refused as documents.
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
