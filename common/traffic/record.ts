/**
 * Recorded traffic: the requests that clients sent to a cluster, and those facts about the responses that a replay needs. `dyno record`
 * writes recorded traffic. The readers of HAR, GoReplay, audit logs and slow logs convert their files to the same records.
 */

/** First line of a traffic file. */
export interface TrafficHeader {
  /** Version of the format. */
  'dyno-traffic': 1;
  /** Start of the recording, in ms since the epoch. The times of all records are relative to it. */
  startedAt: number;
  /** Origin of the records: a recording of Dyno, a file in another format, or masking. */
  origin: 'record' | 'har' | 'gor' | 'audit-log' | 'slow-log' | 'mask';
  /** Share of all connections that was recorded, in (0, 1]. */
  share: number;
  /** Number of this file among the files of the recording, from 1. A long recording consists of several files. */
  part: number;
  /** Number of records before this file that were dropped, because the disk was too slow or full. */
  droppedBefore: number;
}

/** Version of a document, as a response contains it. A later request can require this version with `if_seq_no` and `if_primary_term`. */
export interface DocumentVersion {
  index: string;
  id: string;
  seqNo: number;
  primaryTerm: number;
}

/**
 * Facts about a response. A replay compares them with the facts about its own response, or uses them in later requests. A fact is absent if
 * the response does not contain it.
 */
export interface AnswerFacts {
  /**
   * Value of `hits.total`, summed over the searches of an `_msearch`; the result of `_count`; or the number of matches of an update or
   * delete by query.
   */
  total?: number;
  /** Whether the total is only a lower bound (`relation: gte`). */
  isLowerBound?: boolean;
  /** Number of hits, of found documents of an `_mget`, of rows, or of terms. For an `_msearch`, it is the sum over its searches. */
  hits?: number;
  /**
   * Number of items in the response. Depending on the request, items are the items of a bulk request, the documents of an `_mget`, the
   * results of an `_msearch`, the documents that an update or delete by query changed, or the contexts that were closed.
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
  /**
   * Value of `error.type` of the response, or of its first item with an error. If there is no such value, `http-` followed by the status.
   */
  error?: string;
  /** Id of a scroll that a later request uses. */
  scrollId?: string;
  /** Id of a point in time that a later request uses. */
  pitId?: string;
  /** Ids that the cluster generated for items without an id in the request, in the order of these items. '' for an item that got no id. */
  generatedIds?: string[];
  /** Versions of the documents in the response. */
  versions?: DocumentVersion[];
}

export interface RecordedAnswer {
  /** HTTP status. 0 if the connection ended before the response. */
  status: number;
  /** Time from the first byte of the request to the last byte of the response, in µs. Null if the format does not contain it. */
  durationUs: number | null;
  /** Size of the body as sent, in bytes. */
  bytes: number;
  /**
   * Facts about the body. Null if Dyno could not read the body, for example because it was too large. Absent if the format contains no
   * bodies of responses.
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
  /** The response. Null if the format contains no responses. */
  answer: RecordedAnswer | null;
}
