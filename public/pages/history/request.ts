/**
 * Returns the request that the page of an experiment's history sends first. It only asks for the newest values of each metric. All values
 * are requested later, only for the metric in the chart.
 */
export const historyRequest = (id: string): { params: { id: string }; query: { points: 'newest' } } => ({
  params: { id },
  query: { points: 'newest' },
});
