/**
 * The list of all kinds of requests. The schema of definitions, the form, the load generator and the reference use this list. For a new
 * kind, add a file to this folder and an entry to {@link REQUEST_KINDS}; see CONTRIBUTING.md.
 */
import { count } from './count';
import { eql } from './eql';
import { esql } from './esql';
import { fieldCaps } from './field-caps';
import { get } from './get';
import { http } from './http';
import type { RequestKindDescription } from './kind';
import { clusterHealth, forceMerge, refresh } from './maintenance';
import { knn } from './knn';
import { mget } from './mget';
import { msearch } from './msearch';
import { asyncSearch, pointInTime, scroll } from './paging';
import { search } from './search';
import { sql } from './sql';
import { termsEnum } from './terms-enum';

/** The kinds of requests, in the order in which lists and menus show them. */
export const REQUEST_KINDS = [
  search,
  knn,
  esql,
  count,
  get,
  mget,
  msearch,
  eql,
  sql,
  scroll,
  pointInTime,
  asyncSearch,
  fieldCaps,
  termsEnum,
  refresh,
  forceMerge,
  clusterHealth,
  http,
] as const;

type Listed = (typeof REQUEST_KINDS)[number];
export type RequestKind = Listed['name'];

const BY_NAME: ReadonlyMap<string, RequestKindDescription> = new Map(
  REQUEST_KINDS.map((kind) => [kind.name, kind as unknown as RequestKindDescription]),
);

/** Returns one of {@link REQUEST_KINDS}; throws for an unknown name. */
export function requestKind(name: string): RequestKindDescription {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new Error(`no kind of request is called ${name}`);
  return found;
}
