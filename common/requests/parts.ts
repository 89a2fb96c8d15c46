/** Keys of schemas that several kinds of requests share. */
import * as z from 'zod';
import { exact, keysAtMost, LONGEST_LIST } from '../fields/schema';
import { exactText } from '../json/exact';
import type { QueryParams } from './kind';

/** Schema of a query string. */
export const paramsSchema = keysAtMost(
  exact(z.union([z.string(), z.number(), z.boolean()])),
  LONGEST_LIST,
).default({});

/** Formats a query string without parameters to fill in, and without its question mark; '' if it is empty. */
export const queryString = (params: QueryParams = {}): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, exactText(value)]),
  ).toString();
