/**
 * Rewrites queries and filters of old versions for current ones. It changes a key only where Elasticsearch expects a query, because a field
 * may have the name of a query.
 */
import { asArray, isObject, REMOVED_QUERIES, type Findings, type Json } from './constructs';

/**
 * Records all old constructs of a query in `findings`, and rewrites those for which the definition requests it. `node`: the query, which is
 * modified. Returns the query to use instead of `node`; it may be `node` itself.
 */
export function modernQuery(node: unknown, findings: Findings): unknown {
  if (Array.isArray(node)) {
    node.forEach((each, place) => (node[place] = modernQuery(each, findings)));
    return node;
  }
  if (!isObject(node)) return node;
  dropCaching(node, findings);
  // A query has one key. Elasticsearch refuses queries with several.
  for (const [name, value] of Object.entries(node)) {
    const modern = modernNamed(node, name, value, findings);
    if (modern !== null) return modern;
  }
  return node;
}

/**
 * Rewrites the query `name` of an old version. `node`: the object that contains this query as a key. `value`: the value of this key.
 * Returns the query that replaces `node`. Returns null if `node` is not replaced; queries inside it may have been rewritten nevertheless.
 */
function modernNamed(node: Json, name: string, value: unknown, findings: Findings): unknown {
  switch (name) {
    case 'filtered':
      return modernFiltered(value, findings);
    case 'and':
    case 'or':
      return modernList(name, value, findings);
    case 'not': {
      const wrapped = isObject(value) && value['filter'] !== undefined ? value : null;
      const inner = modernQuery(wrapped ? wrapped['filter'] : value, findings);
      if (wrapped) wrapped['filter'] = inner;
      else node[name] = inner;
      return findings.meet('not') ? { bool: { must_not: inner } } : null;
    }
    case 'missing':
      return modernMissing(value, findings);
    case 'query':
    case 'fquery': {
      const inner = name === 'fquery' && isObject(value) ? value['query'] : value;
      const modern = modernQuery(inner, findings);
      node[name] = name === 'fquery' && isObject(value) ? { ...value, query: modern } : modern;
      return findings.meet('query-filter', name) ? modern : null;
    }
  }
  if (REMOVED_QUERIES.has(name)) findings.refuse('removed-query', name);
  else if (isObject(value)) insideOf(name, value, findings);
  return null;
}

/** Rewrites queries inside a compound query such as `bool`, and old parameters of the query itself. */
function insideOf(name: string, value: Json, findings: Findings): void {
  dropCaching(value, findings);
  switch (name) {
    case 'bool':
      for (const key of ['must', 'should', 'must_not', 'filter'])
        if (value[key] !== undefined) value[key] = modernQuery(value[key], findings);
      boolOptions(value, findings);
      return;
    case 'nested':
    case 'has_child':
    case 'has_parent':
      for (const key of ['query', 'filter'])
        if (value[key] !== undefined) value[key] = modernQuery(value[key], findings);
      rename(value, 'filter', 'query', () => findings.meet('nested-filter', `${name}.filter`));
      return;
    case 'constant_score':
      for (const key of ['query', 'filter'])
        if (value[key] !== undefined) value[key] = modernQuery(value[key], findings);
      rename(value, 'query', 'filter', () => findings.meet('constant-score-query', 'constant_score.query'));
      return;
    case 'function_score':
      if (value['query'] !== undefined) value['query'] = modernQuery(value['query'], findings);
      if (value['filter'] !== undefined) findings.refuse('removed-key', 'function_score.filter');
      for (const each of asArray(value['functions']))
        if (isObject(each) && each['filter'] !== undefined)
          each['filter'] = modernQuery(each['filter'], findings);
      return;
    case 'dis_max':
      value['queries'] = modernQuery(value['queries'], findings);
      return;
    case 'boosting':
      for (const key of ['positive', 'negative'])
        if (value[key] !== undefined) value[key] = modernQuery(value[key], findings);
      return;
    case 'ids':
      for (const key of ['type', 'types'])
        if (value[key] !== undefined && findings.meet('types', `ids.${key}`))
          Reflect.deleteProperty(value, key);
      return;
    case 'range':
      for (const bounds of Object.values(value)) if (isObject(bounds)) rangeBounds(bounds, findings);
      return;
  }
}

function modernFiltered(value: unknown, findings: Findings): unknown {
  if (!isObject(value)) {
    findings.refuse('filtered', 'filtered');
    return null;
  }
  dropCaching(value, findings);
  const { query, filter, boost, ...others } = value;
  const must = modernQuery(query, findings);
  const filters = modernQuery(filter, findings);
  if (must !== undefined) value['query'] = must;
  if (filters !== undefined) value['filter'] = filters;
  const left = Object.keys(others).filter((key) => key !== '_name' && key !== 'strategy');
  if (left.length > 0) findings.refuse('filtered', `filtered.${left[0]}`);
  if (left.length > 0 || !findings.meet('filtered')) return null;
  return {
    bool: {
      ...(must === undefined ? {} : { must }),
      ...(filters === undefined ? {} : { filter: filters }),
      ...(boost === undefined ? {} : { boost }),
    },
  };
}

function modernList(name: 'and' | 'or', value: unknown, findings: Findings): unknown {
  if (isObject(value)) dropCaching(value, findings);
  const list = isObject(value) ? value['filters'] : value;
  const modern = modernQuery(asArray(list), findings);
  if (!findings.meet(name)) return null;
  return name === 'and'
    ? { bool: { filter: modern } }
    : { bool: { should: modern, minimum_should_match: 1 } };
}

function modernMissing(value: unknown, findings: Findings): unknown {
  const field = isObject(value) ? value['field'] : undefined;
  const usual = isObject(value) && value['existence'] !== false && value['null_value'] !== true;
  if (typeof field !== 'string' || !usual) {
    findings.refuse('missing', 'missing with existence or null_value');
    return null;
  }
  return findings.meet('missing') ? { bool: { must_not: { exists: { field } } } } : null;
}

function boolOptions(value: Json, findings: Findings): void {
  if (value['disable_coord'] !== undefined && findings.meet('bool-options', 'bool.disable_coord'))
    delete value['disable_coord'];
  rename(value, 'minimum_number_should_match', 'minimum_should_match', () =>
    findings.meet('bool-options', 'bool.minimum_number_should_match'),
  );
}

function rangeBounds(bounds: Json, findings: Findings): void {
  const old = ['from', 'to', 'include_lower', 'include_upper'].filter((key) => bounds[key] !== undefined);
  if (old.length === 0 || !findings.meet('range-bounds', `range with ${old[0]}`)) return;
  const { from, to, include_lower: lower = true, include_upper: upper = true } = bounds;
  for (const key of old) Reflect.deleteProperty(bounds, key);
  if (from !== undefined && from !== null) bounds[lower === false ? 'gt' : 'gte'] = from;
  if (to !== undefined && to !== null) bounds[upper === false ? 'lt' : 'lte'] = to;
}

function dropCaching(value: Json, findings: Findings): void {
  for (const key of ['_cache', '_cache_key'])
    if (value[key] !== undefined && !isObject(value[key]) && findings.meet('_cache', key))
      Reflect.deleteProperty(value, key);
}

function rename(value: Json, from: string, to: string, allowed: () => boolean): void {
  if (value[from] === undefined || !allowed()) return;
  value[to] = value[from];
  Reflect.deleteProperty(value, from);
}
