/** The interface of all sources of documents, such as generators and files. */
import type { Share } from '../threads/shares';
import type { Batch } from './batch';

/** Limits of a batch. A batch is the body of one bulk request. */
export interface BatchLimit {
  /** Maximum number of documents in the batch. */
  docs: number;
  /** Maximum size of the body, in bytes. A single document may be larger. */
  bytes: number;
}

/**
 * State of a batch after {@link DocumentSource.fill}.
 * - `full`: the batch has reached its limit.
 * - `waiting`: more documents will arrive; see {@link DocumentSource.whenReady}.
 * - `ended`: no more documents will arrive; the batch contains the last ones.
 */
export type Filled = 'full' | 'waiting' | 'ended';

export interface DocumentSource {
  /** Appends documents to `batch`. `now`: time of the documents, in ms since the epoch. */
  fill(batch: Batch, limit: BatchLimit, now: number): Filled;
  /** Calls `resume` once when more documents are available or the source has ended, but never before this method returns. */
  whenReady(resume: () => void): void;
  close(): void;
}

/** Settings that a source receives from its load thread. */
export interface SourceSetting {
  /** Seed of the random numbers of this load thread. */
  seed: number;
  /** Position of this load thread among the threads that send documents. */
  share: Share;
  /**
   * Numbers of the documents that this load thread sends: from `from` to `until` (exclusive). `of`: number of documents of all load
   * threads. Undefined if the number of documents has no limit.
   */
  documents?: { from: number; until: number; of: number } | undefined;
  /** Action line of each document, with its line feed. */
  actionLine: string;
  /** Called once if the source fails. */
  onBroken: (error: unknown) => void;
}

/** Action line for requests whose URL contains the index. Elasticsearch generates the id. */
export const ACTION_LINE = '{"index":{}}\n';
