/** What a run's sittings tell: where each of its trials ran, and for how long it was at work. */
import type { PlaceFacts, Provenance, SittingFacts } from './run';

/** Where a trial ran that started at `started`, ISO 8601; where no sitting tells, what is known of the run. */
export function placeAt(provenance: Provenance | null, started: string): PlaceFacts | null {
  const at = Date.parse(started);
  const own = provenance?.sittings?.findLast(({ since }) => Date.parse(since) <= at);
  return own ?? provenance;
}

/** Time from the first to the last of each sitting, ms; null where none is kept or one goes on. */
export function sittingsMs(sittings: readonly Pick<SittingFacts, 'since' | 'until'>[] = []): number | null {
  if (sittings.length === 0) return null;
  let ms = 0;
  for (const { since, until } of sittings) {
    if (until === null) return null;
    ms += Date.parse(until) - Date.parse(since);
  }
  return ms;
}
