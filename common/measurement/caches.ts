/** State of the caches when a trial's load began. */

/** Bytes of Elasticsearch's data files that were in the page cache of the operating system, before and after Dyno emptied it. */
export interface PageCache {
  /** Size of all data files. */
  files: number;
  /** Bytes of the data files in the page cache before Dyno emptied it. */
  before: number;
  /**
   * Bytes of the data files in the page cache after Dyno emptied it. The value may be above 0, because pages that a node has mapped into
   * memory cannot be removed.
   */
  after: number;
  /**
   * Whether the indices were closed while the page cache was emptied. If so, `after` contains only the pages that were read when the
   * indices were opened again.
   */
  reopened: boolean;
}

export interface CachesSummary {
  start: 'cold' | 'warm';
  /** State of the page cache; null if it was not emptied. */
  pageCache: PageCache | null;
  /**
   * Reason why some data was still cached although the trial had to begin with empty caches, as a text for the report. '' if all caches
   * were empty, or if the trial began with warm caches.
   */
  kept: string;
}
