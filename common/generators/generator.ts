/**
 * A generator creates documents, raw lines, or a log of searches. Each generator has a separate file or folder here, and an entry in
 * registry.ts. The file contains everything that other modules need to know about the generator.
 *
 * A generator describes a document as a sequence of parts: fixed texts and random values. `server/load/sources` turns the parts into bytes,
 * almost as fast as copying complete documents.
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
  /** Label of the generator in the editor's form. */
  readonly label: Text;
  /** Mean size of a document with the action line of its bulk request, in bytes. The plan estimates the size of the data from it. */
  readonly documentBytes: number;
  /** Default mapping of an index with these documents. It contains only field types that belong to Elasticsearch's core. */
  readonly mapping: Mapping;
  /** Alternative mappings for the same documents, by their names in definitions. */
  readonly otherMappings?: Readonly<Record<string, Mapping>>;
  /**
   * Returns the parts of which every document consists (fixed texts and random values). Together, they are JSON, without the action line of
   * a bulk request and without a line feed.
   */
  document(): Part[];
  /**
   * Returns the parts of which every raw line consists (fixed texts and random values), without a line feed. Only for generators of raw
   * lines, which a task can parse into documents.
   */
  line?(): Part[];
  /** A log of searches, which a task can replay. Only for generators that also create a log. */
  readonly log?: {
    /** Label of the log in the editor's form. */
    readonly label: Text;
    /** Types of the searches in the log. */
    readonly types: readonly string[];
    /**
     * Returns, for each type of search, the parts of its line in the log (fixed texts and random values). In the log, the types alternate.
     * Lines are in the format `query-log` and end with a line feed.
     */
    lines(): Part[][];
  };
}

/** Defines a generator: returns `description` unchanged, with exact TypeScript types for its name and the names of its mappings. */
export const defineGenerator = <const Description extends GeneratorDescription>(
  description: Description,
): Description => description;
