/**
 * Checks that a response contains the aggregations that a search requested. A proxy, or a server that is not Elasticsearch, may respond to
 * any request with status 200. A missing aggregation must be an error. If it counted as 0, an alert for rejected requests would never fire.
 */
type Answered = Record<string, unknown>;

/** Contents of the response for each kind of aggregation that Dyno uses, apart from sub-aggregations. */
const KINDS: Readonly<Record<string, 'buckets' | 'bucket' | 'number' | 'number or null' | 'stats' | 'hits'>> =
  {
    terms: 'buckets',
    date_histogram: 'buckets',
    filter: 'bucket',
    sum: 'number',
    cardinality: 'number',
    max: 'number or null',
    min: 'number or null',
    avg: 'number or null',
    stats: 'stats',
    top_hits: 'hits',
  };

const isObject = (value: unknown): value is Answered =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Checks the aggregations of a response. `asked`: the `aggs` of the search. Returns the path of the first wrong value, such as
 * `groups.buckets[0].newest`; undefined if all are valid. Throws for a kind of aggregation that is not in {@link KINDS}, which is a bug in
 * Dyno.
 */
export function unlikeAsked(asked: object, answer: unknown): string | undefined {
  for (const [name, aggregation] of Object.entries(asked) as [string, Record<string, object>][]) {
    const wrong = unlikeOne(aggregation, isObject(answer) ? answer[name] : undefined);
    if (wrong !== undefined) return `${name}${wrong}`;
  }
  return undefined;
}

function unlikeOne(
  { aggs = {}, ...aggregation }: Record<string, object>,
  answer: unknown,
): string | undefined {
  const kind = Object.keys(aggregation)[0] ?? '';
  const answers = KINDS[kind];
  if (answers === undefined) throw new Error(`the form of the answer is unknown for the aggregation ${kind}`);
  if (!isObject(answer)) return '';
  if (answers === 'buckets') return unlikeBuckets(aggs, answer['buckets']);
  if (answers === 'bucket') return unlikeBucket(aggs, answer);
  if (answers === 'hits') return unlikeHits(answer['hits']);
  if (answers === 'stats') return typeof answer['count'] === 'number' ? undefined : '.count';
  const { value } = answer;
  return typeof value === 'number' || (value === null && answers === 'number or null') ? undefined : '.value';
}

function unlikeBuckets(aggs: object, buckets: unknown): string | undefined {
  if (!Array.isArray(buckets)) return '.buckets';
  for (const [place, bucket] of buckets.entries()) {
    const wrong = isObject(bucket) && 'key' in bucket ? unlikeBucket(aggs, bucket) : '';
    if (wrong !== undefined) return `.buckets[${place}]${wrong}`;
  }
  return undefined;
}

function unlikeBucket(aggs: object, bucket: Answered): string | undefined {
  if (typeof bucket['doc_count'] !== 'number') return '.doc_count';
  const wrong = unlikeAsked(aggs, bucket);
  return wrong === undefined ? undefined : `.${wrong}`;
}

function unlikeHits(hits: unknown): string | undefined {
  const found = isObject(hits) ? hits['hits'] : undefined;
  return Array.isArray(found) && found.every(isObject) ? undefined : '.hits.hits';
}
