/**
 * Requests that the result page sends when it opens. The data can be requested with the same parameters before the page is loaded; the page
 * then finds them in the cache.
 */

/** Number of points for the whole run; the maximum of the server. */
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
