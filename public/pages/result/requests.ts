/**
 * Requests that the result page sends when it opens. Dyno sends the same requests while the code of the page is still being loaded. The
 * page then finds the responses in the cache.
 */

/** Number of points over the whole run. The server returns no more than this. */
const POINTS = 1000;

interface OfRun {
  params: { id: string };
}

export const reportRequest = (id: string): OfRun => ({ params: { id } });
export const distributionsRequest = (id: string): OfRun => ({ params: { id } });
export const courseRequest = (id: string): OfRun & { query: { points: number } } => ({
  params: { id },
  query: { points: POINTS },
});
