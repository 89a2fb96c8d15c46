/** Survey of recorded traffic: kinds and shapes of requests, rate over time, latency, sizes, indices, clients, repeated reads, errors. */
import * as z from 'zod';
import { hash53 } from '../text/hash53';
import { createHistogram, HIGHEST_US, summariseHistogram, type Histogram } from '../measurement/histogram';
import type { Effect } from '../traffic/kind';
import type { TrafficRecord } from '../traffic/record';
import { nameShape, readRequest, type ReadRequest } from '../traffic/shape';
import { NumberSet } from './number-set';
import { Rates } from './rates';
import { TopTable, type Counted } from './top-table';

/**
 * Effects of requests, in the order of the counts of a bucket. `context`: opens, uses or closes a search context, such as a scroll.
 * `other`: for example reads settings.
 */
export const EFFECTS = ['read', 'write', 'context', 'other'] as const satisfies readonly Effect[];

const count = z.number().int();
/** Value in ms; null with too few values. */
const ms = z.number().nullable();
const latencySchema = z.object({ p50: ms, p99: ms, max: ms });
/** Sizes of bodies in bytes. `count`: number of requests, or of responses, that have a body. */
const sizesSchema = z.object({ count, total: z.number(), p50: z.number(), p99: z.number(), max: z.number() });

const groupSchema = z.object({
  requests: count,
  /** Number of requests whose response is an error, or that have no response because the connection ended. */
  errors: count,
  latency: latencySchema,
  /** Sum of the times from the requests to their responses, in ms. */
  busyMs: z.number(),
  /** Mean sizes of the bodies of requests and responses, in bytes; null if there are no bodies. */
  requestBytes: z.number().nullable(),
  answerBytes: z.number().nullable(),
});

const shapeSchema = groupSchema.extend({
  kind: z.string(),
  effect: z.enum(EFFECTS),
  method: z.string(),
  path: z.string(),
  body: z.string(),
  /** Number of reads that repeat an earlier read, with the same method, path, query and body. The first of such reads does not count. */
  repeated: count,
});
export type SurveyedShape = z.output<typeof shapeSchema>;

/** The most frequent names, and the number of requests with other names. */
const topSchema = z.object({
  top: z.array(z.object({ name: z.string(), requests: count })),
  others: count,
});

export const surveySchema = z.object({
  requests: count,
  /** Times of the first and the last request, in ms since the epoch; null without requests. */
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
  connections: count,
  /** True if there are more connections than the survey can distinguish. */
  areMoreConnections: z.boolean(),
  clients: topSchema,
  /** Number of requests by effect. */
  effects: z.object({ read: count, write: count, context: count, other: count }),
  /** Number of documents that the writes contain. */
  documents: count,
  /** Mean number of requests in flight; null if no response has a duration. */
  inFlight: z.number().nullable(),
  latency: latencySchema,
  requestSizes: sizesSchema,
  answerSizes: sizesSchema,
  rates: z.object({
    widthMs: z.number(),
    /** `at`: start of the bucket, in ms since the epoch. `counts`: requests by effect, in the order of {@link EFFECTS}. */
    buckets: z.array(z.object({ at: z.number(), counts: z.array(count) })),
  }),
  kinds: z.array(groupSchema.extend({ kind: z.string(), effect: z.enum(EFFECTS) })),
  /** The most frequent shapes of requests. Requests have the same shape if only their values differ. */
  shapes: z.array(shapeSchema),
  /** Requests with other shapes, counted together. */
  otherShapes: groupSchema,
  indices: z.object({
    /**
     * The most frequent patterns of index names. `name`: pattern such as `logs-{date}`. If only one name matches the pattern, it is that
     * name. `names`: number of matching names, at most 1000.
     */
    top: z.array(z.object({ name: z.string(), names: count, requests: count, writes: count })),
    others: count,
  }),
  repeats: z.object({
    reads: count,
    repeated: count,
    /** True if there are more distinct reads than the survey remembers. The number of repeated reads is then a lower bound. */
    isLowerBound: z.boolean(),
  }),
  /** Number of responses by HTTP status. Status 0: the connection ended before the response. */
  statuses: z.array(z.object({ status: count, requests: count })),
  errors: topSchema,
  /** Number of successful responses that report failed items, failed shards or a timeout. */
  partial: count,
  /** Number of requests without a recorded response, because the format of the recording contains no responses. */
  withoutAnswer: count,
  /** Requests that a replay leaves out, with the reason. */
  leftOut: z.array(z.object({ kind: z.string(), why: z.string(), requests: count })),
});
export type TrafficSurvey = z.output<typeof surveySchema>;

/** Limits that keep the memory of a survey below about 100 MB, however long the traffic is. */
export interface SurveyLimits {
  shapes: number;
  names: number;
  hashes: number;
  buckets: number;
}
const LIMITS: SurveyLimits = { shapes: 500, names: 2000, hashes: 2_000_000, buckets: 720 };
/** Maximum number of names that each list of a survey contains. */
const MOST_LISTED = 50;
/** Maximum number of shapes that a survey lists. */
const MOST_SHAPES = 200;
/**
 * Number of durations up to which they are stored as a list of numbers. If there are more, a histogram of about 100 KB replaces the list.
 */
const AS_NUMBERS = 100;

/** Kinds of requests for which a 404 is an ordinary response and not an error: the document or the index does not exist. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set([
  'get',
  'index-exists',
  'delete',
  'explain',
  'termvectors',
]);

/** Collects the durations of requests. A small number of durations is stored as a list, which needs less memory than a histogram. */
class Durations {
  private few: number[] = [];
  private histogram: Histogram | null = null;
  totalUs = 0;

  add(us: number): void {
    this.totalUs += us;
    if (this.histogram === null && this.few.length < AS_NUMBERS) this.few.push(us);
    else this.whole().recordValue(clamped(us));
  }

  addAll(other: Durations): void {
    this.totalUs += other.totalUs;
    for (const us of other.few) this.whole().recordValue(clamped(us));
    if (other.histogram !== null) this.whole().add(other.histogram);
  }

  summary(): z.output<typeof latencySchema> {
    if (this.totalUs === 0 && this.few.length === 0) return { p50: null, p99: null, max: null };
    const { p50, p99, max } = summariseHistogram(this.whole());
    return { p50, p99, max };
  }

  private whole(): Histogram {
    if (this.histogram === null) {
      this.histogram = createHistogram();
      for (const us of this.few) this.histogram.recordValue(clamped(us));
      this.few = [];
    }
    return this.histogram;
  }
}

const clamped = (value: number): number => Math.min(HIGHEST_US, Math.max(0, Math.round(value)));

/** Sizes of bodies in bytes. Their percentiles are calculated with the same kind of histogram as the latencies of runs. */
class Sizes {
  private readonly histogram = createHistogram();
  private total = 0;
  private max = 0;

  add(bytes: number): void {
    if (bytes === 0) return;
    this.total += bytes;
    this.max = Math.max(this.max, bytes);
    this.histogram.recordValue(clamped(bytes));
  }

  summary(): z.output<typeof sizesSchema> {
    const at = (percentile: number): number =>
      this.histogram.totalCount === 0
        ? 0
        : Math.min(this.max, this.histogram.getValueAtPercentile(percentile));
    return {
      count: this.histogram.totalCount,
      total: this.total,
      p50: at(50),
      p99: at(99),
      max: this.max,
    };
  }
}

/** Counts of requests that are counted together, such as those with the same shape. */
class Group implements Counted {
  count = 0;
  repeated = 0;
  private errors = 0;
  private readonly durations = new Durations();
  private requestBytes = 0;
  private answers = 0;
  private answerBytes = 0;

  add(record: TrafficRecord, isError: boolean): void {
    this.requestBytes += record.body?.length ?? 0;
    if (isError) this.errors += 1;
    const { answer } = record;
    if (answer === null || answer.status === 0) return;
    this.answers += 1;
    this.answerBytes += answer.bytes;
    if (answer.durationUs !== null) this.durations.add(answer.durationUs);
  }

  addAll(other: Group): void {
    this.count += other.count;
    this.repeated += other.repeated;
    this.errors += other.errors;
    this.requestBytes += other.requestBytes;
    this.answers += other.answers;
    this.answerBytes += other.answerBytes;
    this.durations.addAll(other.durations);
  }

  get busyMs(): number {
    return this.durations.totalUs / 1000;
  }

  get latency(): z.output<typeof latencySchema> {
    return this.durations.summary();
  }

  result(): z.output<typeof groupSchema> {
    return {
      requests: this.count,
      errors: this.errors,
      latency: this.latency,
      busyMs: this.busyMs,
      requestBytes: this.count === 0 ? null : this.requestBytes / this.count,
      answerBytes: this.answers === 0 ? null : this.answerBytes / this.answers,
    };
  }
}

class OfShape extends Group {
  request: ReadRequest | null = null;
}

/** Maximum number of index names that are counted separately for a pattern. */
const MOST_NAMES = 1000;

class OfIndex implements Counted {
  count = 0;
  writes = 0;
  readonly names = new Set<string>();
}

class Names {
  private others = 0;
  private readonly table: TopTable<Counted>;

  constructor(most: number) {
    this.table = new TopTable(
      most,
      () => ({ count: 0 }),
      (row) => (this.others += row.count),
    );
  }

  add(name: string): void {
    this.table.count(name);
  }

  result(): z.output<typeof topSchema> {
    const sorted = this.table.sorted();
    return {
      top: sorted.slice(0, MOST_LISTED).map(([name, row]) => ({ name, requests: row.count })),
      others: this.others + sum(sorted.slice(MOST_LISTED).map(([, row]) => row.count)),
    };
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Counts the records of a recording, which are passed one after the other. The memory that it needs is limited. */
export class Survey {
  private requests = 0;
  private firstAt = Infinity;
  private lastAt = -Infinity;
  private lastEnd = -Infinity;
  private documents = 0;
  private partial = 0;
  private withoutAnswer = 0;
  private reads = 0;
  private repeated = 0;
  private readonly all = new Group();
  private readonly effects = { read: 0, write: 0, context: 0, other: 0 };
  private readonly kinds = new Map<string, { effect: Effect; group: Group }>();
  private readonly otherShapes = new Group();
  private readonly shapes: TopTable<OfShape>;
  private readonly indices: TopTable<OfIndex>;
  private otherIndices = 0;
  private readonly clients: Names;
  private readonly errors: Names;
  private readonly leftOut: TopTable<Counted & { kind: string; why: string }>;
  private readonly connections: NumberSet;
  private readonly known: NumberSet;
  private readonly statuses = new Map<number, number>();
  private readonly requestSizes = new Sizes();
  private readonly answerSizes = new Sizes();
  private readonly rates: Rates;

  /** `startedAt`: time to which the times of the records are relative, in ms since the epoch. */
  constructor(
    private readonly startedAt: number,
    limits: Partial<SurveyLimits> = {},
  ) {
    const { shapes, names, hashes, buckets } = { ...LIMITS, ...limits };
    this.shapes = new TopTable(
      shapes,
      () => new OfShape(),
      (row) => this.otherShapes.addAll(row),
    );
    this.indices = new TopTable(
      names,
      () => new OfIndex(),
      (row) => (this.otherIndices += row.count),
    );
    this.clients = new Names(names);
    this.errors = new Names(names);
    this.leftOut = new TopTable(names, () => ({ count: 0, kind: '', why: '' }));
    this.connections = new NumberSet(hashes);
    this.known = new NumberSet(hashes);
    this.rates = new Rates(EFFECTS.length, buckets);
  }

  add(record: TrafficRecord): void {
    const request = readRequest(record);
    const { kind } = request;
    const at = this.startedAt + record.at / 1000;
    this.requests += 1;
    this.firstAt = Math.min(this.firstAt, at);
    this.lastAt = Math.max(this.lastAt, at);
    this.lastEnd = Math.max(this.lastEnd, at + (record.answer?.durationUs ?? 0) / 1000);
    this.rates.add(EFFECTS.indexOf(kind.effect), at);
    this.effects[kind.effect] += 1;
    this.documents += request.documents;
    // 0 is not a member of a NumberSet.
    this.connections.add(record.connection + 1);
    if (record.client !== undefined) this.clients.add(record.client);
    this.requestSizes.add(record.body?.length ?? 0);
    const isError = this.addAnswer(record, kind.name);
    this.addGroups(record, request, isError);
    this.addIndices(request);
    if (kind.effect === 'other') {
      const why = kind.why ?? '';
      Object.assign(this.leftOut.count(`${kind.name} ${why}`), { kind: kind.name, why });
    }
  }

  /** Counts the request for each pattern of indices that it names. */
  private addIndices({ indices, kind }: ReadRequest): void {
    const counted = new Map<string, OfIndex>();
    for (const index of indices) {
      const pattern = nameShape(index);
      const row = counted.get(pattern) ?? this.indices.count(pattern);
      if (!counted.has(pattern) && kind.effect === 'write') row.writes += 1;
      counted.set(pattern, row);
      if (row.names.size < MOST_NAMES) row.names.add(index);
    }
  }

  /** Counts the response of a record. Returns whether it is an error. */
  private addAnswer({ answer }: TrafficRecord, kind: string): boolean {
    if (answer === null) {
      this.withoutAnswer += 1;
      return false;
    }
    const { facts } = answer;
    // Statuses that HTTP does not have are counted together, so that their number is limited.
    const status = answer.status >= 100 && answer.status <= 999 ? answer.status : 0;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status !== 0) this.answerSizes.add(answer.bytes);
    const isError = status === 0 || (status >= 400 && !(status === 404 && MAY_BE_MISSING.has(kind)));
    if (isError)
      this.errors.add(
        facts?.error ?? (status === 0 ? 'connection ended before the answer' : `status ${status}`),
      );
    else if (
      facts &&
      ((facts.failedItems ?? 0) > 0 || (facts.failedShards ?? 0) > 0 || facts.timedOut === true)
    )
      this.partial += 1;
    return isError;
  }

  private addGroups(record: TrafficRecord, request: ReadRequest, isError: boolean): void {
    const { kind, shape } = request;
    let own = this.kinds.get(kind.name);
    if (own === undefined) this.kinds.set(kind.name, (own = { effect: kind.effect, group: new Group() }));
    own.group.count += 1;
    this.all.count += 1;
    const row = this.shapes.count(`${shape.method} ${shape.path} ${shape.body}`);
    row.request ??= { ...request, text: '' };
    for (const group of [this.all, own.group, row]) group.add(record, isError);
    if (kind.effect !== 'read') return;
    this.reads += 1;
    const text = `${record.method} ${record.path}?${record.query}\n${request.text}`;
    if (!this.known.add(hash53(text))) return;
    this.repeated += 1;
    row.repeated += 1;
  }

  /** Returns the survey of the records so far. */
  result(): TrafficSurvey {
    const others = new Group();
    others.addAll(this.otherShapes);
    const shapes = this.shapes.sorted();
    for (const [, row] of shapes.slice(MOST_SHAPES)) others.addAll(row);
    const indices = this.indices.sorted();
    const isEmpty = this.requests === 0;
    const spanMs = Math.max(1, this.lastEnd - this.firstAt);
    return {
      requests: this.requests,
      firstAt: isEmpty ? null : this.firstAt,
      lastAt: isEmpty ? null : this.lastAt,
      connections: this.connections.size,
      areMoreConnections: this.connections.isFull,
      clients: this.clients.result(),
      effects: { ...this.effects },
      documents: this.documents,
      inFlight: this.all.busyMs === 0 ? null : this.all.busyMs / spanMs,
      latency: this.all.latency,
      requestSizes: this.requestSizes.summary(),
      answerSizes: this.answerSizes.summary(),
      rates: this.rates.result(),
      kinds: [...this.kinds]
        .map(([kind, { effect, group }]) => ({ kind, effect, ...group.result() }))
        .sort((a, b) => b.requests - a.requests),
      shapes: shapes.slice(0, MOST_SHAPES).map(([, row]) => ({
        kind: row.request!.kind.name,
        effect: row.request!.kind.effect,
        ...row.request!.shape,
        ...row.result(),
        repeated: row.repeated,
      })),
      otherShapes: others.result(),
      indices: {
        top: indices.slice(0, MOST_LISTED).map(([pattern, { names, count: requests, writes }]) => {
          const [only = pattern] = names;
          return { name: names.size === 1 ? only : pattern, names: names.size, requests, writes };
        }),
        others: this.otherIndices + sum(indices.slice(MOST_LISTED).map(([, row]) => row.count)),
      },
      repeats: { reads: this.reads, repeated: this.repeated, isLowerBound: this.known.isFull },
      statuses: [...this.statuses]
        .map(([status, requests]) => ({ status, requests }))
        .sort((a, b) => b.requests - a.requests),
      errors: this.errors.result(),
      partial: this.partial,
      withoutAnswer: this.withoutAnswer,
      leftOut: this.leftOut.sorted().map(([, { kind, why, count: requests }]) => ({ kind, why, requests })),
    };
  }
}
