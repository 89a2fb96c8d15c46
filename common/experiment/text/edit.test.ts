import { editText, type Edit } from './edit';
import { parseText } from '../document';

const text = `# What it is for.
version: 1
name: "Refresh"   # shown in the list
hypothesis: longer is faster

index:
  settings: { number_of_shards: 3, number_of_replicas: 0 } # small
  mapping: apache-logs                 # a named one
# The work.
tasks:
  - name: ingest   # one stream
    ingest:
      source: { generator: apache-logs }
      bulk: { docs: 3_000 }
  # Beside it.
  - name: second
    ingest: { source: { generator: systembase } }
factors:
  index.settings.refresh_interval: [1s, 5s]   # seconds
  tasks.ingest.ingest.bulk.docs:
    - 1_000
    - 5_000
measure: { documents: 1_000_000 }
thresholds:
  - 'ingest.rejection_rate < 1%'
`;

/** Returns the lines that differ, in the form of a diff. */
function changes(edits: Edit[], before = text): string[] {
  const after = editText(before, edits);
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}

describe('editing a definition in its text', () => {
  it.each<[string, Edit[], string[]]>([
    [
      'a value, but not its quotes and its comment',
      [{ path: ['name'], value: 'Other' }],
      ['-name: "Refresh"   # shown in the list', '+name: "Other"   # shown in the list'],
    ],
    [
      'a value in brackets',
      [{ path: ['index', 'settings', 'number_of_shards'], value: 5 }],
      [
        '-  settings: { number_of_shards: 3, number_of_replicas: 0 } # small',
        '+  settings: { number_of_shards: 5, number_of_replicas: 0 } # small',
      ],
    ],
    [
      'a new key in brackets',
      [{ path: ['index', 'settings', 'refresh_interval'], value: '1s' }],
      [
        '-  settings: { number_of_shards: 3, number_of_replicas: 0 } # small',
        '+  settings: { number_of_shards: 3, number_of_replicas: 0, refresh_interval: 1s } # small',
      ],
    ],
    [
      'a value that needs quotes',
      [{ path: ['hypothesis'], value: 'yes: it is # so' }],
      ['-hypothesis: longer is faster', '+hypothesis: "yes: it is # so"'],
    ],
    [
      'text that looks like a number',
      [{ path: ['hypothesis'], value: '5' }],
      ['-hypothesis: longer is faster', '+hypothesis: "5"'],
    ],
    [
      'a duration to a number of documents, with two edits',
      [
        { path: ['measure', 'duration'], value: '5m' },
        { path: ['measure', 'documents'], remove: true },
      ],
      ['-measure: { documents: 1_000_000 }', '+measure: { duration: 5m }'],
    ],
    ['a new part in its place', [{ path: ['trials'], value: 5 }], ['+trials: 5']],
    [
      'a deep new part',
      [{ path: ['tasks', 1, 'executor', 'constant-clients', 'clients'], value: 4 }],
      ['+    executor: { constant-clients: { clients: 4 } }'],
    ],
    [
      'another level in brackets',
      [{ path: ['factors', 'index.settings.refresh_interval', 2], value: '30s' }],
      [
        '-  index.settings.refresh_interval: [1s, 5s]   # seconds',
        '+  index.settings.refresh_interval: [1s, 5s, 30s]   # seconds',
      ],
    ],
    [
      'another level in a list of lines',
      [{ path: ['factors', 'tasks.ingest.ingest.bulk.docs', 2], value: 9000 }],
      ['+    - 9000'],
    ],
    [
      'a list without one of its levels',
      [{ path: ['factors', 'tasks.ingest.ingest.bulk.docs', 0], remove: true }],
      ['-    - 1_000'],
    ],
    [
      'another condition',
      [{ path: ['thresholds', 1], value: 'ingest.latency.p99 < 2s' }],
      ['+  - ingest.latency.p99 < 2s'],
    ],
    [
      'a list with one more task',
      [{ path: ['tasks', 2], value: { name: 'third', search: { set: 'azure-queries' } } }],
      ['+  - name: third', '+    search: { set: azure-queries }'],
    ],
    [
      'a list with one task less',
      [{ path: ['tasks', 1], remove: true }],
      ['-  - name: second', '-    ingest: { source: { generator: systembase } }'],
    ],
    [
      'a part without its last element, which disappears',
      [{ path: ['thresholds', 0], remove: true }],
      ['-thresholds:', "-  - 'ingest.rejection_rate < 1%'"],
    ],
    [
      'the path of a factor',
      [{ path: ['factors', 'index.settings.refresh_interval'], rename: 'index.settings.codec' }],
      [
        '-  index.settings.refresh_interval: [1s, 5s]   # seconds',
        '+  index.settings.codec: [1s, 5s]   # seconds',
      ],
    ],
    [
      'a value to an object',
      [{ path: ['index', 'mapping'], value: { properties: { a: { type: 'keyword' } } } }],
      [
        '-  mapping: apache-logs                 # a named one',
        '+  mapping: { properties: { a: { type: keyword } } }                 # a named one',
      ],
    ],
    [
      'crossed factors to a list of cells',
      [{ path: ['factors'], value: [{ a: 1 }, { a: 2 }] }],
      [
        '-  index.settings.refresh_interval: [1s, 5s]   # seconds',
        '-  tasks.ingest.ingest.bulk.docs:',
        '-    - 1_000',
        '-    - 5_000',
        '+  - { a: 1 }',
        '+  - { a: 2 }',
      ],
    ],
  ])('changes %s and nothing else', (_name, edits, expected) => {
    expect(changes(edits)).toEqual(expected);
  });

  it('puts new parts at their place in the order of a definition', () => {
    const lines = editText(text, [{ path: ['trials'], value: 5 }]).split('\n');
    expect(lines.indexOf('trials: 5')).toBe(lines.indexOf('measure: { documents: 1_000_000 }') + 1);
    const tagged = editText(text, [{ path: ['tags'], value: ['disk'] }]).split('\n');
    expect(tagged.indexOf('tags: [disk]')).toBe(tagged.indexOf('hypothesis: longer is faster') + 1);
  });

  it('changes nothing when nothing changes', () => {
    expect(editText(text, [{ path: ['measure', 'documents'], value: 1_000_000 }])).toBe(text);
    expect(editText(text, [{ path: ['nothing', 'there'], remove: true }])).toBe(text);
  });

  it('does not change invalid YAML', () => {
    expect(editText('name: [a', [{ path: ['name'], value: 'b' }])).toBe('name: [a');
  });

  it('changes the value of an alias only at the requested place', () => {
    const shared = 'a: &x { n: 1 }\nb: *x\n';
    expect(editText(shared, [{ path: ['b', 'n'], value: 2 }])).toBe('a: &x { n: 1 }\nb: { n: 2 }\n');
  });

  it('fills keys without a value, texts without a line end and empty texts', () => {
    expect(editText('name:\ntags: []', [{ path: ['name'], value: 'a' }])).toBe('name: a\ntags: []');
    expect(editText('name: a', [{ path: ['trials'], value: 2 }])).toBe('name: a\ntrials: 2\n');
    expect(editText('tags: []\n', [{ path: ['tags', 0], value: 'x' }])).toBe('tags: [x]\n');
    expect(parseText(editText('', [{ path: ['name'], value: 'a' }]), 'x')).toEqual({ name: 'a' });
    expect(editText('factors:\n', [{ path: ['factors', 'a.b'], value: [1] }])).toBe('factors:\n  a.b: [1]\n');
  });

  it('writes JSON as JSON', () => {
    const json = '{"name": "a", "trials": 3}\n';
    expect(parseText(editText(json, [{ path: ['trials'], value: 4 }]), 'x')).toEqual({
      name: 'a',
      trials: 4,
    });
    expect(editText(json, [{ path: ['trials'], value: 4 }])).toBe('{"name": "a", "trials": 4}\n');
  });

  it('has the requested value after any sequence of changes', () => {
    const paths: Edit['path'][] = [
      ['name'],
      ['index', 'settings', 'x'],
      ['index', 'mapping'],
      ['tasks', 0, 'ingest', 'bulk', 'docs'],
      ['tasks', 2],
      ['tasks', 1, 'search'],
      ['factors', 'a.b'],
      ['measure', 'warmup'],
      ['expect'],
      ['expect', 0],
    ];
    const values = ['a: b', 5, [1, 'x y'], { k: { l: [{ m: 1 }] } }, 'two\nlines', null, [], {}, true, '- x'];
    for (const path of paths) {
      for (const value of values) {
        const after = editText(text, [{ path, value }]);
        const read = path.reduce<unknown>((node, key) => (node as never)[key], parseText(after, 'x'));
        expect(read).toEqual(value);
        expect(after).toContain('# What it is for.');
        expect(editText(after, [{ path, remove: true }])).not.toContain('undefined');
      }
    }
  });
});
