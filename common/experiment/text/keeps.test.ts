import { editText, type Edit } from './edit';
import { parseText } from '../document';
import { sameValue, valueAt } from './values';

const TEXT = `# What it is for.
version: 1
name: Searches   # shown in the list

index:
  # Small.
  settings: { number_of_shards: 3, number_of_replicas: 0 } # of them
  mapping:
    dynamic: false # nothing is guessed
    properties:
      # The text.
      message: { type: text }
      tag: { type: keyword, ignore_above: 100 }   # short
      size:
        type: long
tasks:
  # The searches.
  - name: search
    search:
      requests:
        - name: one # the first
          body: { query: { term: { tag: mine } }, size: 10 } # as the page sends it
        # The second.
        - { name: two, body: { query: { match_all: {} } } }
      parameters:
        # Drawn.
        tag: { values: [java, python] }
    executor: { constant-clients: { clients: 2 } } # few
factors:
  # Levels.
  tasks.search.executor.constant-clients.clients: [1, 2, 4] # doubled
  index.settings.refresh_interval:
    - 1s # as it is
    - 30s
measure:
  duration: 1m # short
  warmup: 10s
expect:
  # The claim.
  - search.latency.p99 rises with tasks.search.executor.constant-clients.clients
`;

const commentsOf = (text: string): string[] => [...text.matchAll(/#.*$/gm)].map(([comment]) => comment);

const MAPPING = {
  dynamic: false,
  properties: {
    message: { type: 'text' },
    tag: { type: 'keyword', ignore_above: 200 },
    size: { type: 'long' },
  },
};

test.each<[string, Edit['path'], unknown, changed: number]>([
  ['a leaf of a structure', ['index', 'mapping'], MAPPING, 1],
  [
    'a new field',
    ['index', 'mapping'],
    {
      dynamic: false,
      properties: {
        message: { type: 'text' },
        tag: { type: 'keyword', ignore_above: 100 },
        size: { type: 'long' },
        more: { type: 'date' },
      },
    },
    0,
  ],
  [
    'a value in a line',
    ['tasks', 0, 'search', 'requests', 0, 'body'],
    { query: { term: { tag: 'mine' } }, size: 20 },
    1,
  ],
  ['a value in a list', ['tasks', 0, 'search', 'parameters'], { tag: { values: ['java', 'go'] } }, 1],
  [
    'a new parameter',
    ['tasks', 0, 'search', 'parameters'],
    { tag: { values: ['java', 'python'] }, n: { values: [1] } },
    0,
  ],
  ['another level', ['factors', 'index.settings.refresh_interval'], ['1s', '30s', '60s'], 0],
  ['another key of the measure part', ['measure'], { duration: '1m', warmup: '20s' }, 1],
  [
    'another request in one line',
    ['tasks', 0, 'search', 'requests', 1],
    { name: 'two', body: { query: { match_none: {} } } },
    1,
  ],
])('%s changes only its line, even if a whole structure is written', (_, path, value, changed) => {
  const after = editText(TEXT, [{ path, value }]);
  expect(valueAt(parseText(after, 'x'), path)).toEqual(value);
  expect(commentsOf(after)).toEqual(commentsOf(TEXT));
  const now = after.split('\n');
  expect(TEXT.split('\n').filter((line) => !now.includes(line))).toHaveLength(changed);
});

/** Returns all paths of a value, with the value at each. */
function pathsOf(value: unknown, path: (string | number)[] = []): [(string | number)[], unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [[path, value], ...inner];
}

test('no change of a value moves or loses a comment of another value', () => {
  const lost: string[] = [];
  for (const [path, old] of pathsOf(parseText(TEXT, 'x'))) {
    for (const value of ['x', [1, 'a b'], 'two: words']) {
      const after = editText(TEXT, [{ path, value }]);
      expect(sameValue(valueAt(parseText(after, 'x'), path), value)).toBe(true);
      // Comments inside a structure that is replaced are removed with it.
      if (typeof old === 'object') continue;
      if (commentsOf(after).join('\n') !== commentsOf(TEXT).join('\n'))
        lost.push(`${path.join('.')} = ${JSON.stringify(value)}`);
      const [before, now] = [TEXT.split('\n'), after.split('\n')];
      const gone = before.filter((line) => !now.includes(line));
      if (gone.length > 1) lost.push(`${path.join('.')} = ${JSON.stringify(value)}: ${gone.length} lines`);
    }
  }
  expect(lost).toEqual([]);
});

/** Returns whether the second list is the first one without some elements. */
const isPartOf = (all: readonly string[], some: readonly string[]): boolean => {
  let at = 0;
  for (const one of all) if (one === some[at]) at += 1;
  return at === some.length;
};

test('removing a value moves no comment, and changes at most its line', () => {
  const wrong: string[] = [];
  const before = TEXT.split('\n');
  for (const [path] of pathsOf(parseText(TEXT, 'x'))) {
    const after = editText(TEXT, [{ path, remove: true }]);
    const changed = after.split('\n').filter((line) => !before.includes(line));
    if (changed.length > 1) wrong.push(`${path.join('.')}: ${changed.join(' | ')}`);
    if (!isPartOf(commentsOf(TEXT), commentsOf(after))) wrong.push(`${path.join('.')}: comments`);
  }
  expect(wrong).toEqual([]);
});
