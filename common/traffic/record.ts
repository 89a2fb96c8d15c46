/**
 * Recorded traffic: the requests that clients sent to a cluster, and what a replay must know of the answers. `dyno record` writes it. The
 * readers of HAR, GoReplay, audit logs and slow logs convert to the same form.
 */

/** First line of a traffic file. */
export interface TrafficHeader {
  /** Version of the form. */
  'dyno-traffic': 1;
  /** Start of the recording, in ms since the epoch. The times of all records are relative to it. */
  startedAt: number;
  /** Where the records come from. */
  origin: 'record' | 'har' | 'gor' | 'audit-log' | 'slow-log' | 'mask';
  /** Share of all connections that was recorded, in (0, 1]. */
  share: number;
  /** Number of this file among the files of the recording, from 1. Rotation starts a new file. */
  part: number;
  /** Records before this file that were dropped because the disk was too slow or full. */
  droppedBefore: number;
}

/** A document version in an answer, which a later request can require with `if_seq_no` and `if_primary_term`. */
export interface DocumentVersion {
  index: string;
  id: string;
  seqNo: number;
  primaryTerm: number;
}

/** Parts of an answer that a replay compares with its own answer, or that later requests use. Absent parts do not exist in such an answer. */
export interface AnswerFacts {
  /** Value of `hits.total`, of all searches of an `_msearch` together; the count of `_count`; the matches of an update or delete by query. */
  total?: number;
  /** True if the total is only a lower bound (`relation: gte`). */
  isLowerBound?: boolean;
  /** Number of hits in the answer, of all searches of an `_msearch` together; of found documents of an `_mget`; of rows or terms. */
  hits?: number;
  /**
   * Number of items of a bulk, of documents of an `_mget`, of responses of an `_msearch`, of documents that an update or delete by query
   * changed, or of contexts that were closed.
   */
  items?: number;
  /** Number of these items with an error. For an update or delete by query: failures and version conflicts. */
  failedItems?: number;
  /** Value of `found` of a get, `matched` of an explain, `valid` of a validation. */
  found?: boolean;
  /** Value of `result` of a write: created, updated, deleted, noop. */
  result?: string;
  /** True if `timed_out` is set. */
  timedOut?: boolean;
  /** Number of failed shards. */
  failedShards?: number;
  /** `error.type` of the answer, or of its first item with an error. Without a type: `http-` and the status. */
  error?: string;
  /** Scroll id that a later request uses. */
  scrollId?: string;
  /** Id of the point in time. */
  pitId?: string;
  /** Ids that the cluster generated, in the order of the items without an id in the request. '' for an item without one. */
  generatedIds?: string[];
  /** Versions of documents in the answer. */
  versions?: DocumentVersion[];
}

export interface RecordedAnswer {
  /** HTTP status. 0 if the connection ended before the answer. */
  status: number;
  /** Time from the first byte of the request to the last byte of the answer, in µs. */
  durationUs: number;
  /** Size of the body as sent, in bytes. */
  bytes: number;
  /** Null if Dyno could not read the body, for example because it was too large. Absent in formats without bodies of answers. */
  facts?: AnswerFacts | null;
}

/** One recorded request. */
export interface TrafficRecord {
  /** Number of the client's connection. Requests of one connection keep their order. */
  connection: number;
  /** Position among the requests of its connection, from 0. */
  order: number;
  /** Time of the first byte of the request, in µs after `startedAt` of the header. */
  at: number;
  method: string;
  /** Path as sent, percent-encoded, without the query. */
  path: string;
  /** Query string as sent, without the question mark. '' without a query. */
  query: string;
  /** Value of the header `content-type`. '' without one. */
  contentType: string;
  /** Encoding in which the client sent the body, such as `gzip`. The stored body is decoded. Absent for none. */
  encoding?: string;
  /** Body of the request. Null without a body. */
  body: Uint8Array | null;
  /** Address of the client without its port. Absent if unknown. */
  client?: string;
  /** Null if the format contains no answers. */
  answer: RecordedAnswer | null;
}
