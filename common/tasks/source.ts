/** Where documents come from: a generator, a file, or a set of vectors. Of ingestions, and of what is loaded before a trial. */
import { z } from 'zod';
import { exactlyOne } from '../fields/schema';
import { GENERATOR_NAMES, LINE_GENERATORS, type GeneratorName } from '../generators/registry';
import { vectorProblems, vectorSet, vectorsSchema, type VectorSet } from '../generators/vectors';
import type { Problem } from '../problem';

export const sourceSchema = z
  .strictObject({
    /**
     * Generated documents; the same seed makes the same ones. `apache-access-lines` makes raw lines, `storefront` products of
     * 7000 stores of very unequal size.
     * @example apache-logs
     */
    generator: z.enum(GENERATOR_NAMES).optional(),
    /**
     * A file of documents, relative to the definition's file; `.gz` and `.zst` are unpacked while it is read.
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

/** Whether it gives raw lines, which can be parsed. */
export const givesLines = ({ generator, format }: Pick<SourceDefinition, 'generator' | 'format'>): boolean =>
  generator === undefined ? format === 'lines' : LINE_GENERATORS.includes(generator);

/** What documents are called in a sentence. */
export const sourceName = ({ generator, file, vectors }: SourceDefinition): string =>
  generator ??
  file ??
  (vectors!.file === undefined ? `vectors of ${vectors!.dimensions} dimensions` : vectors!.file);

/** What is wrong though the schema takes it. `path` is that of the source. */
export const sourceProblems = ({ vectors }: SourceDefinition, path: string): Problem[] =>
  vectors === undefined ? [] : vectorProblems(vectors, `${path}.vectors`);

/** The file that it reads, and where that is written below the source. */
export function fileOfSource({ file, vectors }: SourceDefinition): { key: string; file: string } | undefined {
  if (file !== undefined) return { key: 'file', file };
  return vectors?.file === undefined ? undefined : { key: 'vectors.file', file: vectors.file };
}

export type SourceJob =
  | { kind: 'generator'; generator: GeneratorName }
  | { kind: 'file'; file: string; format: 'ndjson' | 'lines'; repeat: boolean }
  | { kind: 'vectors'; set: VectorSet; field: string };

export function sourceJob(
  { generator, file, vectors, format, repeat }: SourceDefinition,
  resolveFile: (file: string) => string,
): SourceJob {
  if (generator !== undefined) return { kind: 'generator', generator };
  if (vectors !== undefined)
    return { kind: 'vectors', set: vectorSet(vectors, resolveFile), field: vectors.field };
  return { kind: 'file', file: resolveFile(file!), format, repeat };
}
