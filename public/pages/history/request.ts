/**
 * Returns the first request of an experiment's history page. It asks for only the newest values of each metric. All values are requested
 * later, for the metric in the chart.
 */
export const historyRequest = (id: string): { params: { id: string }; query: { points: 'newest' } } => ({
  params: { id },
  query: { points: 'newest' },
});
