/** What the page of a history asks for when it is opened: points come with the series that is looked at. */
export const historyRequest = (id: string): { params: { id: string }; query: { points: 'newest' } } => ({
  params: { id },
  query: { points: 'newest' },
});
