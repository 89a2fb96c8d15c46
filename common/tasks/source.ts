/** Where documents come from: a generator, or a file. Of ingestions, and of what is loaded before a trial. */
import { z } from 'zod';
import { exactlyOne } from '../fields/schema';
import { GENERATOR_NAMES, LINE_GENERATORS, type GeneratorName } from '../generators/registry';

export const sourceSchema = z
  .strictObject({
    /** Made documents, seeded. */
    generator: z.enum(GENERATOR_NAMES).optional(),
    /** A corpus; `.gz` and `.zst` are unpacked while it is read. Relative to the definition's file. */
    file: z.string().min(1).optional(),
    /** `ndjson`: a JSON document a line. `lines`: plain lines, each becomes `{"@timestamp": now, "message": line}`. */
    format: z.enum(['ndjson', 'lines']).default('ndjson'),
    /** Begin again when the file ends; otherwise the task ends with it. */
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
