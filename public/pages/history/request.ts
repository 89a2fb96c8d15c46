/** First request of the page: it has only the newest points of each series. All points are requested for the series in the chart. */
export const historyRequest = (id: string): { params: { id: string }; query: { points: 'newest' } } => ({
  params: { id },
  query: { points: 'newest' },
});
