/** What a run's blocks tell: where each of its trials ran, and for how long it was at work. */
import type { PlaceFacts, Provenance, BlockFacts } from './run';
import { storedBlocks } from './stored-names';

/** Where a trial ran that started at `started`, ISO 8601; where no block tells, what is known of the run. */
export function placeAt(provenance: Provenance | null, started: string): PlaceFacts | null {
  const at = Date.parse(started);
  const own = storedBlocks(provenance).findLast(({ since }) => Date.parse(since) <= at);
  return own ?? provenance;
}

/** Time from the first to the last of each block, ms; null where none is kept or one goes on. */
export function blocksMs(blocks: readonly Pick<BlockFacts, 'since' | 'until'>[] = []): number | null {
  if (blocks.length === 0) return null;
  let ms = 0;
  for (const { since, until } of blocks) {
    if (until === null) return null;
    ms += Date.parse(until) - Date.parse(since);
  }
  return ms;
}
