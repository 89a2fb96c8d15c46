/** Rewrites facets as equivalent aggregations. Elasticsearch introduced aggregations in 1.0 as a replacement, and removed facets in 2.0. */
import { isObject, type Findings, type Json } from './constructs';
import { modernInterval } from './modern-aggs';
import { modernQuery } from './modern-query';

const ORDERS: Readonly<Record<string, Json>> = {
  count: { _count: 'desc' },
  reverse_count: { _count: 'asc' },
  term: { _key: 'asc' },
  reverse_term: { _key: 'desc' },
};

/** Returns the aggregation that is equivalent to a facet; null if there is no equivalent aggregation. */
function aggregationOf(kind: string, value: Json, findings: Findings): Json | null {
  const only = (...keys: string[]): boolean => Object.keys(value).every((key) => keys.includes(key));
  const { field, size, order, interval } = value;
  switch (kind) {
    case 'terms': {
      if (!only('field', 'size', 'order') || typeof field !== 'string') return null;
      const ordered = order === undefined ? {} : ORDERS[String(order)];
      if (ordered === undefined || size === 0) return null;
      return {
        terms: {
          field,
          ...(size === undefined ? {} : { size }),
          ...(order === undefined ? {} : { order: ordered }),
        },
      };
    }
    case 'statistical':
      return only('field') && typeof field === 'string' ? { extended_stats: { field } } : null;
    case 'histogram':
      return only('field', 'interval') && typeof field === 'string'
        ? { histogram: { field, interval } }
        : null;
    case 'date_histogram':
      return only('field', 'interval') && typeof field === 'string'
        ? { date_histogram: { field, ...modernInterval(interval) } }
        : null;
    case 'range':
      return only('field', 'ranges') && typeof field === 'string'
        ? { range: { field, ranges: value['ranges'] }, aggs: { values: { stats: { field } } } }
        : null;
    case 'terms_stats': {
      const { key_field: key, value_field: of } = value;
      return only('key_field', 'value_field', 'size') && typeof key === 'string' && typeof of === 'string'
        ? {
            terms: { field: key, ...(size === undefined ? {} : { size }) },
            aggs: { values: { stats: { field: of } } },
          }
        : null;
    }
    case 'filter':
    case 'query':
      return { filter: modernQuery(value, findings) };
    default:
      return null;
  }
}

function modernFacet(facet: unknown, findings: Findings): Json | null {
  if (!isObject(facet)) return null;
  const { facet_filter: filter, global, nested, ...rest } = facet;
  const [kind, ...more] = Object.keys(rest);
  const value = kind === undefined ? undefined : rest[kind];
  if (kind === undefined || more.length > 0 || nested !== undefined || !isObject(value)) return null;
  let aggregation = aggregationOf(kind, value, findings);
  if (aggregation === null) return null;
  if (filter !== undefined)
    aggregation = { filter: modernQuery(filter, findings), aggs: { filtered: aggregation } };
  return global === true ? { global: {}, aggs: { all: aggregation } } : aggregation;
}

/**
 * Converts the `facets` of the body to `aggs`. If one of the facets cannot be converted, records in `findings` that the body must not be
 * sent.
 */
export function modernFacets(body: Json, findings: Findings): void {
  const { facets } = body;
  if (facets === undefined || !findings.meet('facets')) return;
  const aggs: Json = {};
  for (const [name, facet] of Object.entries(isObject(facets) ? facets : { facets: null })) {
    const aggregation = modernFacet(facet, findings);
    if (aggregation === null) {
      findings.refuse('facets', `the facet ${name}`);
      return;
    }
    // Names of aggregations allow fewer characters than those of facets.
    aggs[name.replaceAll(/[[\]>]/g, '_')] = aggregation;
  }
  const key = body['aggregations'] === undefined ? 'aggs' : 'aggregations';
  delete body['facets'];
  body[key] = { ...(isObject(body[key]) ? body[key] : {}), ...aggs };
}
