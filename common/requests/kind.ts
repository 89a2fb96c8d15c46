/**
 * What a kind of request is: one API of Elasticsearch in the form in which a person would write it. Each has a file of its own
 * beside this one with its schema, what it sends and when its answer is a success, and a line in registry.ts.
 */
import type * as z from 'zod';
import type { Text } from '../fields/form';
import type { RecallAsked } from './recall';
import type { Template } from './template';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const;
export type Method = (typeof METHODS)[number];

export type QueryParams = Readonly<Record<string, string | number | boolean>>;

export type Body =
  | { json: unknown }
  /** Each in a line of its own, a line break behind each. */
  | { ndjson: readonly unknown[] }
  /** As it is, but for parameters. */
  | { text: string };

/** What is sent; parameters (`{{name}}`) may stand in path, query string and body. */
export interface Outgoing {
  method: Method;
  /** From the slash on; `{{index}}` is the indices of the trial. */
  path: string | Template;
  params?: QueryParams | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  body?: Body | undefined;
}

/** What the head of an answer says: all is well and the rest may be dropped, keep it all, or cannot tell yet. */
export type HeadVerdict = 'well' | 'keep' | 'more';

/** Why an answer with status 2xx is no success. */
export interface AnswerFailure {
  /** Elasticsearch's type of the error, or a word of ours. */
  type: string;
  reason: string;
}

/** When an answer with status 2xx is a success. */
export interface Judge {
  /** From the first bytes, so that a good answer need not be parsed. */
  head(head: string): HeadVerdict;
  /** Of the whole, parsed; null for a success. Asked only where the head did not say `well`. */
  failure(answer: unknown): AnswerFailure | null;
}

/** One HTTP request of a request that may take several. */
export interface Step extends Outgoing {
  /** What its figures are called behind the name of the request, and by which its judge is found; '' where it is all of it. */
  part: string;
  /** What later steps need of its answer: by name, the keys from the answer's top. There it is `{{.name}}`. */
  takes?: Readonly<Record<string, readonly string[]>>;
  /** It is sent while these hold of the answer before it, as `expect` writes them, and `most` times at most. */
  while?: readonly string[];
  most?: number;
  /** Why the request failed where they still hold after that. */
  exhausted?: AnswerFailure;
  /** What is expected of the request is expected of those of its answers of which these hold. */
  expects?: readonly string[];
  /** It is sent though an earlier one failed, where what it needs is known: it closes what was opened. */
  always?: true;
}

/** A request of a kind as somebody would use it, to begin with; fields are those of logs in the Elastic Common Schema. */
export interface RequestExample<Given> {
  request: Given;
  expect?: readonly string[];
  /** Sources of the names that stand in it, as definitions write them. */
  parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface RequestKindDescription<Name extends string = string, Schema extends z.ZodType = z.ZodType> {
  /** The key of a request in definitions. */
  readonly name: Name;
  readonly schema: Schema;
  /** What it does, for the reference of definitions. */
  readonly text: string;
  readonly label: Text;
  /** What the form writes when it is chosen. */
  readonly first: z.input<Schema>;
  readonly example: RequestExample<z.input<Schema>>;
  /** What is sent, one after the other. */
  steps(given: z.output<Schema>): readonly Step[];
  /** By the part of the step. */
  readonly judges: Readonly<Record<string, Judge>>;
  /** What is wrong though the schema takes it: where below the request, and why. */
  problem?(given: z.output<Schema>): { key: string; message: string; allowed: string } | undefined;
  /** Whose recall is judged; undefined where it is not. */
  recall?(given: z.output<Schema>): RecallAsked | undefined;
  /** It speaks of one index, so there may be no more of them. */
  readonly oneIndex?: true;
  /** It may change what the indices of the trial hold, so that their documents cannot be counted against what was sent. */
  changes?(given: z.output<Schema>): boolean;
  /** It does something to the indices that changes none of their documents. */
  readonly maintains?: true;
}

/** A kind of request of several steps, its types told by what it holds. */
export const defineSteppedKind = <const Name extends string, Schema extends z.ZodType>(
  description: RequestKindDescription<Name, Schema>,
): RequestKindDescription<Name, Schema> => description;

/** A kind of request that is one HTTP request. */
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
