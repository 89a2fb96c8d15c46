/**
 * Names of fields in stored runs and HTTP responses that differ from the terms in the code. The names come from older versions of Dyno.
 * Only this file contains them. They must not change, because every version must be able to read the results of all other versions.
 *
 * A run consists of *environment blocks*: trials that are executed one after the other on the same machines. The machines change between
 * two blocks.
 *
 * | stored | meaning |
 * | --- | --- |
 * | `provenance.sittings` | the run's environment blocks |
 * | `progress.sitting` | the number of the environment block that is running or that the run waits for |
 */

/** Name of the field of `provenance` that contains the environment blocks: trials on the same machines. */
export const BLOCKS_FIELD = 'sittings';
/** Name of the field of `progress` that contains the number of the current environment block. */
export const BLOCK_FIELD = 'sitting';

export interface StoredBlocks<T> {
  /**
   * Environment blocks in chronological order. A run has several if its machines changed between trials, or if it was interrupted and
   * continued. Absent in documents of older versions.
   */
  [BLOCKS_FIELD]?: T[];
}

export interface StoredBlockNumber {
  /** Number of the environment block that is running or that the run waits for, from 0. Earlier blocks have ended. Absent means 0. */
  [BLOCK_FIELD]?: number;
}

/**
 * Returns the environment blocks of a run from its `provenance`, which records where the run measured. Returns an empty list if it contains
 * no blocks.
 */
export const storedBlocks = <T>(provenance: StoredBlocks<T> | null | undefined): T[] =>
  provenance?.[BLOCKS_FIELD] ?? [];

/** Returns an object with the field of `provenance` that contains these environment blocks. */
export const blocksField = <T>(blocks: T[]): StoredBlocks<T> => ({ [BLOCKS_FIELD]: blocks });

/**
 * Returns the index (from 0) of the current environment block: the trials that run on one environment before the next environment is set
 * up. The block is running, or the run waits for its environment.
 */
export const blockNumber = (progress: StoredBlockNumber): number => progress[BLOCK_FIELD] ?? 0;

/** Stores the index of the current environment block. */
export function setBlockNumber(progress: StoredBlockNumber, block: number): void {
  progress[BLOCK_FIELD] = block;
}
