import { Losses } from './loss';

test('losses are counted by kind, with the first different examples', () => {
  const losses = new Losses();
  losses.add('dropped', 0);
  losses.add('malformed', 1, 'line 1');
  for (const host of ['a', 'b', 'a', 'c', 'd']) losses.add('other-host', 2, host);
  expect(losses.list()).toEqual([
    { kind: 'malformed', count: 1, text: '1 entry malformed', examples: ['line 1'] },
    { kind: 'other-host', count: 10, text: '10 requests to other hosts left out', examples: ['a', 'b', 'c'] },
  ]);
});
