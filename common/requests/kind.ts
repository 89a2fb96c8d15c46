/**
 * A kind of request: one API of Elasticsearch, in a form that people write. Each has a separate file in this folder with its schema, its
 * HTTP requests and its judge of answers, and an entry in registry.ts.
 */
import type * as z from 'zod';
import type { Engine } from '../elasticsearch/engine';
import type { Text } from '../fields/form';
import type { RecallAsked } from './recall';
import type { Template } from './template';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const;
export type Method = (typeof METHODS)[number];

export type QueryParams = Readonly<Record<string, string | number | boolean>>;

export type Body =
  | { json: unknown }
  /** Each element on a separate line, with a line break after each. */
  | { ndjson: readonly unknown[] }
  /** Unchanged, except for parameters. */
  | { text: string };

/** An HTTP request. Path, query string and body may contain parameters (`{{name}}`). */
export interface Outgoing {
  method: Method;
  /** Path with its leading slash. `{{index}}` is replaced by the indices of the trial. */
  path: string | Template;
  params?: QueryParams | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: Body | undefined;
}

/**
 * Decision from the head of an answer. `well`: it is a success, so the rest can be dropped. `keep`: keep all of it. `more`: the head is too
 * short to decide.
 */
export type HeadVerdict = 'well' | 'keep' | 'more';

/** Reason why an answer with status 2xx is a failure. */
export interface AnswerFailure {
  /** Elasticsearch's type of the error, or a word of Dyno's. */
  type: string;
  reason: string;
}

/** Decides whether an answer with status 2xx is a success. */
export interface Judge {
  /** Decides from the first bytes, so that a successful answer need not be parsed. */
  head(head: string): HeadVerdict;
  /** Decides from the whole parsed answer; null for a success. Called only if the head did not return `well`. */
  failure(answer: unknown): AnswerFailure | null;
}

/** One HTTP request of a request that may need several. */
export interface Step extends Outgoing {
  /** Suffix of the step's name in metrics, and key of its judge; '' if it is the whole request. */
  part: string;
  /** Values for later steps: names with the keys from the top of the answer. A later step uses them as `{{.name}}`. */
  takes?: Readonly<Record<string, readonly string[]>>;
  /** The step is repeated while these conditions (as in `expect`) hold for the answer before it, at most `most` times. */
  while?: readonly string[];
  most?: number;
  /** Failure if the conditions still hold after the last repetition. */
  exhausted?: AnswerFailure;
  /** Conditions that select the answers to which the request's `expect` applies. */
  expects?: readonly string[];
  /** The step is sent even after a failure, if its values are known, since it closes what another step opened. */
  always?: true;
}

/** A typical request of a kind. Its fields are those of logs in the Elastic Common Schema. */
export interface RequestExample<Given> {
  request: Given;
  expect?: readonly string[];
  /** Sources of its parameters, as definitions write them. */
  parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface RequestKindDescription<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  /** Key of a request in definitions. */
  readonly name: Name;
  readonly schema: Schema;
  /** Description for the reference of definitions. */
  readonly text: string;
  readonly label: Text;
  /** Value that the form writes when the kind is chosen. */
  readonly first: z.input<Schema>;
  readonly example: RequestExample<z.input<Schema>>;
  /** Returns the HTTP requests in order. Each engine gets the same parts, though some have another path or body. */
  steps(given: z.output<Schema>, engine: Engine): readonly Step[];
  /** Judges by the part of the step. */
  readonly judges: Readonly<Record<string, Judge>>;
  /** Returns a problem that the schema cannot find, with its key below the request; undefined if it is valid. */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /** Returns the request's recall settings; undefined if its recall is not measured. */
  recall?(given: z.output<Schema>): RecallAsked | undefined;
  /** The request needs exactly one index. */
  readonly oneIndex?: true;
  /** Returns whether it may change the documents of the trial's indices, whose number then cannot be verified. */
  changes?(given: z.output<Schema>): boolean;
  /** It changes the indices, but not their documents. */
  readonly maintains?: true;
}

/** Defines a kind of request with several steps and infers its types. */
export const defineSteppedKind = <const Name extends string, Schema extends z.ZodType>(
  description: RequestKindDescription<Name, Schema>,
): RequestKindDescription<Name, Schema> => description;

/** Defines a kind of request that is one HTTP request. */
export const defineRequestKind = <const Name extends string, Schema extends z.ZodType>({
  outgoing,
  judge,
  ...description
}: Omit<RequestKindDescription<Name, Schema>, 'steps' | 'judges'> & {
  outgoing(given: z.output<Schema>): Outgoing;
  judge: Judge;
}): RequestKindDescription<Name, Schema> => ({
  ...description,
  steps: (given) => [{ part: '', expects: [], ...outgoing(given) }],
  judges: { '': judge },
});
