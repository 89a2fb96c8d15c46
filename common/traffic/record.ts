/**
 * Recorded traffic: the requests that clients sent to a cluster, and those facts about the answers that a replay needs. `dyno record`
 * writes recorded traffic. The readers of HAR, GoReplay, audit logs and slow logs convert their files to the same records.
 */

/** First line of a traffic file. */
export interface TrafficHeader {
  /** Version of the format. */
  'dyno-traffic': 1;
  /** Start of the recording, in ms since the epoch. The times of all records are relative to it. */
  startedAt: number;
  /** Source of the records. */
  origin: 'record' | 'har' | 'gor' | 'audit-log' | 'slow-log' | 'mask';
  /** Share of all connections that was recorded, in (0, 1]. */
  share: number;
  /** Number of this file among the files of the recording, from 1. Rotation starts a new file. */
  part: number;
  /** Number of records before this file that were dropped, because the disk was too slow or full. */
  droppedBefore: number;
}

/** Version of a document in an answer. A later request can require this version with `if_seq_no` and `if_primary_term`. */
export interface DocumentVersion {
  index: string;
  id: string;
  seqNo: number;
  primaryTerm: number;
}

/**
 * Facts about an answer that a replay compares with its own answer, or that later requests use. A fact is absent if the answer does not
 * contain it.
 */
export interface AnswerFacts {
  /**
   * Value of `hits.total`, summed over the searches of an `_msearch`; the result of `_count`; or the number of matches of an update or
   * delete by query.
   */
  total?: number;
  /** Whether the total is only a lower bound (`relation: gte`). */
  isLowerBound?: boolean;
  /** Number of hits, summed over the searches of an `_msearch`; of found documents of an `_mget`; of rows; or of terms. */
  hits?: number;
  /**
   * Number of items of a bulk, documents of an `_mget`, responses of an `_msearch`, documents that an update or delete by query changed, or
   * contexts that were closed.
   */
  items?: number;
  /** Number of items with an error. For an update or delete by query: number of failures and version conflicts. */
  failedItems?: number;
  /** Value of `found` of a get, of `matched` of an explain, or of `valid` of a validation. */
  found?: boolean;
  /** Value of `result` of a write: created, updated, deleted, noop. */
  result?: string;
  /** Whether the request timed out (`timed_out`). */
  timedOut?: boolean;
  /** Number of failed shards. */
  failedShards?: number;
  /** Value of `error.type` of the answer, or of its first item with an error. Without such a value, `http-` followed by the status. */
  error?: string;
  /** Id of a scroll that a later request uses. */
  scrollId?: string;
  /** Id of a point in time that a later request uses. */
  pitId?: string;
  /** Ids that the cluster generated, in the order of those items that have no id in the request. '' for an item that got no id. */
  generatedIds?: string[];
  /** Versions of the documents in the answer. */
  versions?: DocumentVersion[];
}

export interface RecordedAnswer {
  /** HTTP status. 0 if the connection ended before the answer. */
  status: number;
  /** Time from the first byte of the request to the last byte of the answer, in µs. */
  durationUs: number;
  /** Size of the body as sent, in bytes. */
  bytes: number;
  /**
   * Facts about the body. Null if Dyno could not read the body, for example because it was too large. Absent if the format contains no
   * bodies of answers.
   */
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
  /** Value of the header `content-type`. '' without this header. */
  contentType: string;
  /**
   * Encoding in which the client sent the body, such as `gzip`. The record contains the decoded body. Absent if the body was not encoded.
   */
  encoding?: string;
  /** Body of the request. Null without a body. */
  body: Uint8Array | null;
  /** Address of the client without its port. Absent if unknown. */
  client?: string;
  /** Null if the format contains no answers. */
  answer: RecordedAnswer | null;
}
