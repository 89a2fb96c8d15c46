import { idFromName } from './experiment-id';

test.each([
  ['Refresh interval (quick)', 'refresh-interval-quick'],
  ['???', 'experiment'],
  ['New', 'new-experiment'],
  ['Newer', 'newer'],
])('the experiment %s is kept as %s', (name, id) => {
  expect(idFromName(name)).toBe(id);
});
