/** Schemas and functions for query parameters and other keys that several kinds of requests share. */
import * as z from 'zod';
import { exact, keysAtMost, LONGEST_LIST } from '../fields/schema';
import { exactText } from '../json/exact';
import type { QueryParams } from './kind';

/** Schema of the query parameters of a request. */
export const paramsSchema = keysAtMost(
  exact(z.union([z.string(), z.number(), z.boolean()])),
  LONGEST_LIST,
).default({});

/**
 * Formats query parameters as a query string, without the question mark. Returns '' if there are no parameters. Does not support
 * placeholders (`{{name}}`).
 */
export const queryString = (params: QueryParams = {}): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, exactText(value)]),
  ).toString();
