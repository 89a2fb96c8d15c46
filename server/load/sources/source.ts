/** What every source of documents offers: generators and files alike. */
import type { Share } from '../threads/shares';
import type { Batch } from './batch';

/** How full a batch may become. */
export interface BatchLimit {
  /** Documents in the batch, at most. */
  docs: number;
  /** Bytes of its body, at most, unless one document alone is larger. */
  bytes: number;
}

/**
 * `full`: the batch has reached its limit. `waiting`: more will come, call {@link DocumentSource.whenReady}.
 * `ended`: no more will come; the batch holds what was left.
 */
export type Filled = 'full' | 'waiting' | 'ended';

export interface DocumentSource {
  /** Appends documents to what `batch` holds already. `now`: ms since the epoch, the documents' time. */
  fill(batch: Batch, limit: BatchLimit, now: number): Filled;
  /** Calls `resume` once when there is more, or nothing will come any more. Never at once. */
  whenReady(resume: () => void): void;
  close(): void;
}

/** What sources are made with. */
export interface SourceSetting {
  /** The share's own. */
  seed: number;
  share: Share;
  /** Which of so many documents are its part, by their numbers from 0; undefined where they are not counted. */
  documents?: { from: number; until: number; of: number } | undefined;
  /** Before each document, its line feed included. */
  actionLine: string;
  /** Called once if the source cannot go on. */
  onBroken: (error: unknown) => void;
}

/** Where the index is in the URL; the id is Elasticsearch's to make. */
export const ACTION_LINE = '{"index":{}}\n';
