/**
 * Names that stored runs and HTTP answers keep from an older vocabulary, and the words that the code uses for them. Nothing
 * else names them, so that results written by any version can be read by any other.
 *
 * | stored | meaning |
 * | --- | --- |
 * | `provenance.sittings` | the run's environment blocks |
 * | `progress.sitting` | the number of the environment block that goes on or is waited for |
 */

/** Field of `provenance`. */
export const BLOCKS_FIELD = 'sittings';
/** Field of `progress`. */
export const BLOCK_FIELD = 'sitting';

export interface StoredBlocks<T> {
  /** Environment blocks in the order of time; several where the run waited for another environment or was interrupted. Older documents lack it. */
  [BLOCKS_FIELD]?: T[];
}

export interface StoredBlockNumber {
  /** Which of the plan's environment blocks goes on or is waited for, from 0: those before it are over. Absent for the first. */
  [BLOCK_FIELD]?: number;
}

/** The environment blocks that a provenance holds; empty where it holds none. */
export const storedBlocks = <T>(provenance: StoredBlocks<T> | null | undefined): T[] =>
  provenance?.[BLOCKS_FIELD] ?? [];

/** A provenance's field with these environment blocks. */
export const blocksField = <T>(blocks: T[]): StoredBlocks<T> => ({ [BLOCKS_FIELD]: blocks });

/** Number of the environment block that goes on or is waited for, from 0. */
export const blockNumber = (progress: StoredBlockNumber): number => progress[BLOCK_FIELD] ?? 0;

/** Notes in `progress` that the environment block of this number goes on or is waited for. */
export function setBlockNumber(progress: StoredBlockNumber, block: number): void {
  progress[BLOCK_FIELD] = block;
}
