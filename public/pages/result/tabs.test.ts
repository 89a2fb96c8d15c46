import { searchOfTab, tabOf, TABS } from './tabs';

const of = (search: string, hash = ''): string => tabOf({ search, hash });

test('the tab is in the address', () => {
  for (const tab of TABS) expect(of(searchOfTab('?task=ingest', tab))).toBe(tab);
  expect(searchOfTab('?task=ingest', 'latency')).toBe('?task=ingest&tab=latency');
  expect(searchOfTab('?tab=latency', 'overview')).toBe('');
});

test.each([
  ['?cells=0,1', '', 'latency'],
  ['?scale=log', '', 'latency'],
  ['?drift=relative', '', 'trials'],
  ['?over-time=cpu', '', 'trials'],
  ['?metric=p99&x=a.b', '', 'overview'],
  ['', '#response-times', 'latency'],
  ['', '#the-cluster', 'cluster'],
  ['', '#limiting-factor', 'cluster'],
  ['', '#trials', 'trials'],
  ['', '#provenance', 'setup'],
  ['', '#anything-else', 'overview'],
  ['?tab=nothing', '', 'overview'],
])('a link without a tab leads to what it chooses: %s%s', (search, hash, tab) => {
  expect(of(search, hash)).toBe(tab);
});

test('the overview is named in the address if other choices would open another tab', () => {
  expect(of(searchOfTab('?cells=0,1&tab=latency', 'overview'))).toBe('overview');
});
