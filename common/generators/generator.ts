/**
 * What a generator is: it makes documents, raw lines or the searches of a log. Each has a file or a folder of its own beside
 * this one with all that anything else needs to know of it, and a line in registry.ts. It says what its documents are made
 * of; `server/load/sources` makes bytes of that, as fast as a copy.
 */
import type { Text } from '../fields/form';
import type { Part } from './template';

/** The body of `mappings` with which an index is created. */
export interface Mapping extends Readonly<Record<string, unknown>> {
  readonly properties: Readonly<Record<string, object>>;
}

export interface GeneratorDescription {
  /** As definitions write it. */
  readonly name: string;
  /** In the list of the form. */
  readonly label: Text;
  /** Mean size of a document with its action line, bytes: for the plan's estimate. */
  readonly documentBytes: number;
  /** Of an index that names no mapping and gets these documents. Only types that Elasticsearch's core has. */
  readonly mapping: Mapping;
  /** Other mappings for the same documents, by the names that definitions write. */
  readonly otherMappings?: Readonly<Record<string, Mapping>>;
  /** The parts of one document as JSON, without action line and line feed. */
  document(): Part[];
  /** Of generators whose documents are raw lines: the parts of one line, without its line feed. Such lines can be parsed. */
  line?(): Part[];
  /** A log of searches, for a replay. */
  readonly log?: {
    /** In the list of the form. */
    readonly label: Text;
    /** The types of its searches. */
    readonly types: readonly string[];
    /** The parts of the lines in the format `query-log`, line feeds included; they take turns. */
    lines(): Part[][];
  };
}

/** A generator, its names told by what it holds. */
export const defineGenerator = <const Description extends GeneratorDescription>(
  description: Description,
): Description => description;
