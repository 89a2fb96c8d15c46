/** Rewrites aggregations of old versions for current ones. */
import { asArray, isObject, type Findings, type Json } from './constructs';
import { modernQuery } from './modern-query';

const CALENDAR: ReadonlySet<string> = new Set([
  ...['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  ...['1m', '1h', '1d', '1w', '1M', '1q', '1y'],
]);

/** Returns the key that replaces an old `interval`: `calendar_interval` or `fixed_interval`, with the value. */
export const modernInterval = (interval: unknown): Json =>
  CALENDAR.has(String(interval)) ? { calendar_interval: interval } : { fixed_interval: interval };

/** Rewrites `aggs` of a body or of an aggregation. */
export function modernAggs(holder: Json, findings: Findings): void {
  for (const key of ['aggs', 'aggregations']) {
    const aggs = holder[key];
    if (!isObject(aggs)) continue;
    for (const agg of Object.values(aggs)) if (isObject(agg)) modernAgg(agg, findings);
  }
}

function modernAgg(agg: Json, findings: Findings): void {
  modernAggs(agg, findings);
  const { filter, filters, terms, histogram, date_histogram: dates } = agg;
  if (filter !== undefined) agg['filter'] = modernQuery(filter, findings);
  if (isObject(filters)) {
    const own = filters['filters'];
    if (isObject(own))
      for (const [name, each] of Object.entries(own)) own[name] = modernQuery(each, findings);
    else if (own !== undefined) filters['filters'] = modernQuery(own, findings);
  }
  for (const each of [terms, histogram, dates]) if (isObject(each)) modernOrder(each, findings);
  if (isObject(terms) && terms['size'] === 0) findings.refuse('agg-size-0', 'terms with size 0');
  if (
    isObject(dates) &&
    dates['interval'] !== undefined &&
    findings.meet('agg-interval', 'date_histogram.interval')
  ) {
    Object.assign(dates, modernInterval(dates['interval']));
    delete dates['interval'];
  }
}

function modernOrder(agg: Json, findings: Findings): void {
  const old = (each: unknown): each is Json =>
    isObject(each) && (each['_term'] !== undefined || each['_time'] !== undefined);
  const { order } = agg;
  if (!asArray(order).some(old) || !findings.meet('agg-order')) return;
  const modern = asArray(order).map((each) =>
    old(each)
      ? Object.fromEntries(
          Object.entries(each).map(([key, way]) => [key === '_term' || key === '_time' ? '_key' : key, way]),
        )
      : each,
  );
  agg['order'] = Array.isArray(order) ? modern : modern[0];
}
