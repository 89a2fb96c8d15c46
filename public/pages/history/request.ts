/**
 * Returns the first request of the page, for the newest points of each series only. All points are requested separately for the series in
 * the chart.
 */
export const historyRequest = (id: string): { params: { id: string }; query: { points: 'newest' } } => ({
  params: { id },
  query: { points: 'newest' },
});
