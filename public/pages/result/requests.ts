/** Requests that the result page sends when it opens. A prefetch that uses the same parameters fills the same cache entries. */

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
