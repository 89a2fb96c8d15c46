/** What the caches held when a trial's load began. */

/** Data files in the operating system's page cache, bytes. */
export interface PageCache {
  /** Of all files. */
  files: number;
  before: number;
  /** Once it was told to forget them: what stays is mapped by the node. */
  after: number;
  /** The indices were closed meanwhile, so that what stays is what opening them reads. */
  reopened: boolean;
}

export interface CachesSummary {
  start: 'cold' | 'warm';
  /** Null where it was left as it was. */
  pageCache: PageCache | null;
  /** What kept a cold start from being wholly cold, in words; '' where nothing did. */
  kept: string;
}
