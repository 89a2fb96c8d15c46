/**
 * Names that stored runs and HTTP answers keep from older versions of Dyno, and the terms that the code uses for them. Only this file
 * contains these names. They must not change, because every version reads the results of every other version.
 *
 * | stored | meaning |
 * | --- | --- |
 * | `provenance.sittings` | the run's environment blocks |
 * | `progress.sitting` | the number of the environment block that is running or that the run waits for |
 */

/** Field of `provenance` that contains the environment blocks. */
export const BLOCKS_FIELD = 'sittings';
/** Field of `progress` that contains the number of the environment block. */
export const BLOCK_FIELD = 'sitting';

export interface StoredBlocks<T> {
  /**
   * Environment blocks in chronological order. A run has several if it waited for another environment or was interrupted. Absent in
   * documents of older versions.
   */
  [BLOCKS_FIELD]?: T[];
}

export interface StoredBlockNumber {
  /**
   * Number of the environment block that is running or that the run waits for, from 0. Earlier blocks have ended. Absent for the first
   * block.
   */
  [BLOCK_FIELD]?: number;
}

/** Returns the environment blocks of a provenance; empty without any. */
export const storedBlocks = <T>(provenance: StoredBlocks<T> | null | undefined): T[] =>
  provenance?.[BLOCKS_FIELD] ?? [];

/** Returns the field of a provenance that holds these environment blocks. */
export const blocksField = <T>(blocks: T[]): StoredBlocks<T> => ({ [BLOCKS_FIELD]: blocks });

/** Returns the number of the environment block that is running or that the run waits for, from 0. */
export const blockNumber = (progress: StoredBlockNumber): number => progress[BLOCK_FIELD] ?? 0;

/** Stores the number of the environment block that is running or that the run waits for. */
export function setBlockNumber(progress: StoredBlockNumber, block: number): void {
  progress[BLOCK_FIELD] = block;
}
