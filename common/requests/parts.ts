/** What several kinds of requests have in their schemas. */
import * as z from 'zod';
import { exact, keysAtMost, LONGEST_LIST } from '../fields/schema';
import { exactText } from '../json/exact';
import type { QueryParams } from './kind';

/** What may stand in the query string. */
export const paramsSchema = keysAtMost(
  exact(z.union([z.string(), z.number(), z.boolean()])),
  LONGEST_LIST,
).default({});

/** A query string in which nothing is drawn, without its question mark; '' for none. */
export const queryString = (params: QueryParams = {}): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, exactText(value)]),
  ).toString();
