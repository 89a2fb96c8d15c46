/**
 * A generator creates documents, raw lines or the searches of a log. Each generator has its own file or folder here, and an entry in
 * registry.ts. The file contains everything that other modules need to know about the generator. A generator only describes documents as a
 * sequence of parts. `server/load/sources` turns the parts into bytes, almost as fast as copying complete documents.
 */
import type { Text } from '../fields/form';
import type { Part } from './template';

/** Value of `mappings` in a request to create an index. */
export interface Mapping extends Readonly<Record<string, unknown>> {
  readonly properties: Readonly<Record<string, object>>;
}

export interface GeneratorDescription {
  /** Name of the generator in definitions. */
  readonly name: string;
  /** Label in the form. */
  readonly label: Text;
  /** Mean size of a document with its action line, in bytes. The plan uses it for its estimate. */
  readonly documentBytes: number;
  /** Default mapping of an index with these documents. It contains only field types that belong to Elasticsearch's core. */
  readonly mapping: Mapping;
  /** Alternative mappings for the same documents, by their names in definitions. */
  readonly otherMappings?: Readonly<Record<string, Mapping>>;
  /** Returns the parts of one document as JSON, without action line and line feed. */
  document(): Part[];
  /** Returns the parts of one raw line without its line feed. Only for generators of raw lines, which can be parsed. */
  line?(): Part[];
  /** A log of searches for a replay. Only for generators of logs. */
  readonly log?: {
    /** Label in the form. */
    readonly label: Text;
    /** Types of the searches in the log. */
    readonly types: readonly string[];
    /** Returns the parts of one line of each kind, in the format `query-log` and with a line feed. The kinds alternate in the log. */
    lines(): Part[][];
  };
}

/** Defines a generator. TypeScript infers its name and the names of its mappings. */
export const defineGenerator = <const Description extends GeneratorDescription>(
  description: Description,
): Description => description;
