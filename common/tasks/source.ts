/** Where documents come from: a generator, or a file. Of ingestions, and of what is loaded before a trial. */
import { z } from 'zod';
import { exactlyOne } from '../fields/schema';
import { GENERATOR_NAMES, LINE_GENERATORS, type GeneratorName } from '../generators/registry';

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
    /** `ndjson`: a JSON document on each line. `lines`: plain lines, each becomes `{"@timestamp": now, "message": line}`. */
    format: z.enum(['ndjson', 'lines']).default('ndjson'),
    /** Whether the file begins again when it ends; otherwise the task ends with it. */
    repeat: z.boolean().default(false),
  })
  .superRefine(exactlyOne('generator', 'file'));

export type SourceDefinition = z.output<typeof sourceSchema>;

/** Whether it gives raw lines, which can be parsed. */
export const givesLines = ({ generator, format }: Pick<SourceDefinition, 'generator' | 'format'>): boolean =>
  generator === undefined ? format === 'lines' : LINE_GENERATORS.includes(generator);

export type SourceJob =
  | { kind: 'generator'; generator: GeneratorName }
  | { kind: 'file'; file: string; format: 'ndjson' | 'lines'; repeat: boolean };

export const sourceJob = (
  { generator, file, format, repeat }: SourceDefinition,
  resolveFile: (file: string) => string,
): SourceJob =>
  generator === undefined
    ? { kind: 'file', file: resolveFile(file!), format, repeat }
    : { kind: 'generator', generator };
