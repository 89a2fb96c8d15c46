/**
 * Finds the syntax of old Elasticsearch versions (*constructs*) in the body of a search, and rewrites it where the definition has a rule
 * for this.
 */
import {
  asArray,
  Findings,
  isObject,
  REMOVED_KEYS,
  type Construct,
  type Json,
  type OldVersionRules,
} from './constructs';
import { modernAggs } from './modern-aggs';
import { modernFacets } from './modern-facets';
import { modernQuery } from './modern-query';

export interface Modern {
  /** The body to send. It is sent only if `refused` is empty. */
  body: Json;
  rewritten: readonly Construct[];
  /** Constructs that prevent sending the body, each with the text that was found. */
  refused: readonly { construct: Construct; found: string }[];
}

export interface LoggedSearch {
  /** Parsed body. It is modified. */
  body: Json;
  /** Recorded type of search; '' if the log does not contain it. */
  searchType: string;
  /** Whether Elasticsearch 7.0 or later has written the log. In this case, `fields` cannot mean stored fields. */
  recent: boolean;
}

/** Search types that were removed from Elasticsearch. */
const GONE: ReadonlySet<string> = new Set(['count', 'scan', 'query_and_fetch', 'dfs_query_and_fetch']);

export function modernise({ body, searchType, recent }: LoggedSearch, rules: OldVersionRules): Modern {
  const findings = new Findings(rules);
  for (const key of ['query', 'filter', 'post_filter'])
    if (body[key] !== undefined) body[key] = modernQuery(body[key], findings);
  for (const each of asArray(body['rescore'])) {
    const own = isObject(each) ? each['query'] : undefined;
    if (isObject(own) && own['rescore_query'] !== undefined)
      own['rescore_query'] = modernQuery(own['rescore_query'], findings);
  }
  if (body['filter'] !== undefined && findings.meet('filter', 'filter beside the query')) {
    body['post_filter'] = body['filter'];
    delete body['filter'];
  }
  modernFacets(body, findings);
  modernAggs(body, findings);
  modernSort(body, findings);
  modernDocValues(body, findings);
  modernSearchType(body, searchType.toLowerCase(), findings);
  for (const key of Object.keys(body)) if (REMOVED_KEYS.has(key)) findings.refuse('removed-key', key);
  // `fields` are examined last, because their meaning depends on whether the body contains other constructs of old versions.
  modernFields(body, recent, findings);
  return {
    body,
    rewritten: [...findings.rewritten],
    refused: [...findings.refused].map(([construct, found]) => ({ construct, found })),
  };
}

function modernSort(body: Json, findings: Findings): void {
  for (const each of asArray(body['sort'])) {
    if (!isObject(each)) continue;
    for (const [field, how] of Object.entries(each)) {
      if (!isObject(how) || how['ignore_unmapped'] === undefined) continue;
      if (!findings.meet('ignore_unmapped', `sort.${field}.ignore_unmapped`)) continue;
      const ignored = how['ignore_unmapped'] === true && !field.startsWith('_');
      delete how['ignore_unmapped'];
      if (ignored) how['unmapped_type'] ??= 'long';
    }
  }
}

function modernDocValues(body: Json, findings: Findings): void {
  if (body['fielddata_fields'] === undefined || !findings.meet('fielddata_fields')) return;
  body['docvalue_fields'] = body['fielddata_fields'];
  delete body['fielddata_fields'];
}

function modernSearchType(body: Json, searchType: string, findings: Findings): void {
  if (!GONE.has(searchType)) return;
  const found = `search_type=${searchType}`;
  if (searchType !== 'count' && searchType !== 'scan') {
    findings.refuse('search_type', found);
    return;
  }
  if (!findings.meet('search_type', found)) return;
  if (searchType === 'count') body['size'] = 0;
  else body['sort'] = ['_doc'];
}

/**
 * Rewrites `fields` if it requests stored fields, as before Elasticsearch 5.0. A single text always requests stored fields. A list of names
 * does if the body has no `_source`, or if the body contains other old constructs. In current versions, `fields` contains objects, or the
 * body has both `fields` and `_source`.
 */
function modernFields(body: Json, recent: boolean, findings: Findings): void {
  const { fields } = body;
  if (fields === undefined || recent) return;
  const names = asArray(fields);
  const old =
    typeof fields === 'string' ||
    (names.every((name) => typeof name === 'string') && body['_source'] === undefined);
  if (!(old || (findings.any && names.every((name) => typeof name === 'string')))) return;
  if (!findings.meet('fields')) return;
  delete body['fields'];
  const kept = names.filter((name) => name !== '_source' && name !== '_id' && name !== '_type');
  body['_source'] ??= names.includes('_source') ? true : kept.length === 0 ? false : kept;
}
