/**
 * A generator creates documents, raw lines or the searches of a log. Each has its own file or folder here, which contains everything that
 * other modules need to know about it, and an entry in registry.ts. A generator only describes documents, as parts. `server/load/sources`
 * turns the parts into bytes, about as fast as it could copy finished documents.
 */
import type { Text } from '../fields/form';
import type { Part } from './template';

/** The body of `mappings` for creating an index. */
export interface Mapping extends Readonly<Record<string, unknown>> {
  readonly properties: Readonly<Record<string, object>>;
}

export interface GeneratorDescription {
  /** Name in definitions. */
  readonly name: string;
  /** Label in the form. */
  readonly label: Text;
  /** Mean size of a document with its action line, in bytes, for the plan's estimate. */
  readonly documentBytes: number;
  /** Default mapping of an index with these documents. Uses only field types of Elasticsearch's core. */
  readonly mapping: Mapping;
  /** Other mappings for the same documents, by their names in definitions. */
  readonly otherMappings?: Readonly<Record<string, Mapping>>;
  /** Returns the parts of one document as JSON, without action line and line feed. */
  document(): Part[];
  /** Returns the parts of one raw line without its line feed, for generators of raw lines. Such lines can be parsed. */
  line?(): Part[];
  /** A log of searches for a replay. */
  readonly log?: {
    /** Label in the form. */
    readonly label: Text;
    /** Types of its searches. */
    readonly types: readonly string[];
    /** Returns the parts of lines in the format `query-log`, with line feeds. The lines are used in turn. */
    lines(): Part[][];
  };
}

/** Defines a generator and infers its names. */
export const defineGenerator = <const Description extends GeneratorDescription>(
  description: Description,
): Description => description;
