/** What the result page asks for when it is opened; asked ahead in the same words, its answers are found. */

/** Of the whole run: as many as the server gives. */
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
