/** State of the caches when a trial's load began. */

/** Elasticsearch's data files in the page cache of the operating system, in bytes. */
export interface PageCache {
  /** Size of all data files. */
  files: number;
  /** Bytes in the cache before it was emptied. */
  before: number;
  /** Bytes in the cache afterwards. Pages that the node has mapped cannot be removed. */
  after: number;
  /**
   * True if the indices were closed while the cache was emptied. `after` then contains only the pages that were read when the indices were
   * opened again.
   */
  reopened: boolean;
}

export interface CachesSummary {
  start: 'cold' | 'warm';
  /** State of the page cache; null if it was not emptied. */
  pageCache: PageCache | null;
  /** Reason why a cold start was not entirely cold; '' if it was entirely cold. */
  kept: string;
}
