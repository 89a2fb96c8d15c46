/**
 * Defines what a kind of request is: one API of Elasticsearch, in a form that is easy to write. Each kind has a file in this folder with
 * its schema, its HTTP requests and the check of its responses, and an entry in registry.ts.
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
  /** Body as lines: each element is on a separate line, which ends with a line break. */
  | { ndjson: readonly unknown[] }
  /** Body as a text, which is sent unchanged. Only parameters (`{{name}}`) are replaced. */
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
 * Result of reading the first bytes of a response. `well`: the response is a success, so its other bytes can be discarded. `keep`: the
 * whole response must be read. `more`: more bytes are needed to decide.
 */
export type HeadVerdict = 'well' | 'keep' | 'more';

/** Reason why a response with status 2xx is a failure. */
export interface AnswerFailure {
  /** Type of the error: the type that Elasticsearch reports, or a type that Dyno defines. */
  type: string;
  reason: string;
}

/** Decides whether a response with status 2xx is a success. */
export interface Judge {
  /** Decides from the first bytes of the response. A successful response then need not be parsed. */
  head(head: string): HeadVerdict;
  /**
   * Decides from the whole parsed response. Returns the reason of the failure, or null for a success. Called only if `head` did not return
   * `well`.
   */
  failure(answer: unknown): AnswerFailure | null;
}

/** One of the HTTP requests of a request. Most kinds of requests need only one. */
export interface Step extends Outgoing {
  /** Name of the step. It is the suffix in names of metrics, and the key in `judges`. '' if the request has only one step. */
  part: string;
  /**
   * Values in the response that later steps need. The key is the name of the value. The value is its path from the top of the response. A
   * later step contains `{{.name}}`.
   */
  takes?: Readonly<Record<string, readonly string[]>>;
  /**
   * Conditions for sending this step, in the form of `expect`. Before the step is sent for the first time, the response to the previous
   * step must meet them. After each sending, they are checked on the response to this step. The step is repeated as long as they are met,
   * and sent at most `most` times.
   */
  while?: readonly string[];
  most?: number;
  /** Failure of the request if the last response still meets the conditions of `while` after the step was sent `most` times. */
  exhausted?: AnswerFailure;
  /**
   * Conditions that select the responses for which the request's `expect` is checked, such as the last page. For all other responses,
   * `expect` is not checked.
   */
  expects?: readonly string[];
  /**
   * Set if the step is sent even after an earlier step has failed, because this step closes what the earlier step opened. It is not sent if
   * values that it needs are unknown.
   */
  always?: true;
}

/** A typical request of a kind. It searches fields of logs in the Elastic Common Schema. */
export interface RequestExample<Given> {
  request: Given;
  expect?: readonly string[];
  /** Sources of the placeholders' values, in the form of `parameters` in definitions. */
  parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface RequestKindDescription<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  /** Name of the kind, which is its key in definitions. */
  readonly name: Name;
  readonly schema: Schema;
  /** Description of the kind for the documentation page that lists all keys of definitions. */
  readonly text: string;
  readonly label: Text;
  /** Value that the editor's form writes when a user chooses this kind. */
  readonly first: z.input<Schema>;
  readonly example: RequestExample<z.input<Schema>>;
  /** Returns the HTTP requests (steps) in order. The steps are the same for each engine, but some have a different path or body. */
  steps(given: z.output<Schema>, engine: Engine): readonly Step[];
  /** Judges of the responses. The key is the name of the step. */
  readonly judges: Readonly<Record<string, Judge>>;
  /**
   * Returns a problem that the schema cannot find, with the key of the invalid value in the request. Returns undefined if there is no
   * problem.
   */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /** Returns the settings for measuring the recall of the request. Returns undefined if recall is not measured. */
  recall?(given: z.output<Schema>): RecallAsked | undefined;
  /** True if the API accepts only one index. */
  readonly oneIndex?: true;
  /**
   * Returns whether the request may change the number of documents in the trial's indices. If it may, Dyno cannot verify this number after
   * the trial.
   */
  changes?(given: z.output<Schema>): boolean;
  /** Set if the request changes the indices but not their documents, as a refresh does. */
  readonly maintains?: true;
}

/** Defines a kind of request that has several steps. The types of its keys are inferred from the schema. */
export const defineSteppedKind = <const Name extends string, Schema extends z.ZodType>(
  description: RequestKindDescription<Name, Schema>,
): RequestKindDescription<Name, Schema> => description;

/** Defines a kind of request that is one HTTP request. */
export const defineRequestKind = <const Name extends string, Schema extends z.ZodType>({
  outgoing,
  judge,
  ...description
}: Omit<RequestKindDescription<Name, Schema>, 'steps' | 'judges'> & {
  outgoing(given: z.output<Schema>, engine: Engine): Outgoing;
  judge: Judge;
}): RequestKindDescription<Name, Schema> => ({
  ...description,
  steps: (given, engine) => [{ part: '', expects: [], ...outgoing(given, engine) }],
  judges: { '': judge },
});
