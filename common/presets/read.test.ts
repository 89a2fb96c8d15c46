import { DynoError } from '../problem';
import { readPresets, type PresetText } from './read';

const ACCOUNT = `
title: What a test prints
repeated: one trial of each cell
fragments:
  a-minute: { warmup: 1s, duration: 60s }
  small: A small cluster.
  both: [The first., The second.]
`;
const PRESET = `
summary: Replicas against throughput
definition:
  version: 1
  name: Replicas
  hypothesis: Replicas cost
  expect: [ingest.throughput falls with index.settings.number_of_replicas]
  tasks:
    - name: ingest
      ingest: { source: { generator: systembase }, bulk: { docs: 10 } }
      executor: { constant-clients: { clients: 1 } }
  factors: { index.settings.number_of_replicas: [0, 1] }
  measure: { use: a-minute, warmup: 2s }
quick: { measure.duration: 5s }
conditions: [{ use: small }]
compared: { rate: ingest.throughput }
notes: [Before., { use: both }, After.]
changes: [{ use: both }]
`;
const FIGURES = `
units: { rate: docs/s, layout: shards by node }
rows:
  - { levels: { index.settings.number_of_replicas: 0 }, figures: { layout: 1-1, rate: 2_000 } }
  - { levels: { index.settings.number_of_replicas: 1 }, labels: { machine: D4 }, figures: { rate: null, layout: 2-1 } }
`;

/** Returns the YAML files of an invented published benchmark with the name `made`. `others`: further files by name; null removes a file. */
const files = (others: Record<string, string | null> = {}): PresetText[] =>
  Object.entries({
    'made/account.yaml': ACCOUNT,
    'made/replicas.figures.yaml': FIGURES,
    'made/replicas.yaml': PRESET,
    ...others,
  }).flatMap(([name, text]) => (text === null ? [] : [{ file: `common/presets/${name}`, text }]));

function problems(others: Record<string, string | null>): string {
  try {
    readPresets(files(others));
  } catch (error) {
    if (error instanceof DynoError) return error.message;
    throw error;
  }
  return 'none';
}

describe('a published benchmark in YAML', () => {
  it('becomes a preset for each file, with the figures of its file of figures', () => {
    const [preset, ...others] = readPresets(files());
    expect(others).toEqual([]);
    expect(preset).toMatchObject({
      name: 'replicas',
      summary: 'Replicas against throughput',
      quick: { 'measure.duration': '5s' },
    });
    const [first] = preset!.published.rows;
    expect(Object.keys(first!.figures)).toEqual(['rate', 'layout']);
    expect(preset!.published).toEqual({
      seed: 'made',
      title: 'What a test prints',
      repeated: 'one trial of each cell',
      conditions: ['A small cluster.'],
      units: { rate: 'docs/s', layout: 'shards by node' },
      rows: [
        { levels: { 'index.settings.number_of_replicas': 0 }, figures: { rate: 2000, layout: '1-1' } },
        {
          levels: { 'index.settings.number_of_replicas': 1 },
          labels: { machine: 'D4' },
          figures: { rate: null, layout: '2-1' },
        },
      ],
      compared: [{ figure: 'rate', metric: 'ingest.throughput' }],
      notes: ['Before.', 'The first.', 'The second.', 'After.'],
      doubts: [],
      changes: ['The first.', 'The second.'],
    });
  });

  it('may be Dyno’s own, without figures and differences', () => {
    const account = `${ACCOUNT}own: true\n`;
    const none = PRESET.replace(/compared:.*\n/, '').replace(/changes:.*\n/, '');
    const own = { 'made/account.yaml': account, 'made/replicas.yaml': none };
    const [preset] = readPresets(files({ ...own, 'made/replicas.figures.yaml': null }));
    expect(preset!.published).toMatchObject({ own: true, rows: [], compared: [], changes: [] });
    expect(problems(own)).toContain('nothing of it was published');
    expect(problems({ 'made/replicas.yaml': PRESET.replace(/changes:.*\n/, '') })).toContain(
      'changes: is missing',
    );
  });

  it('inserts the keys of a fragment, but keys written next to it take precedence', () => {
    expect(readPresets(files())[0]!.definition.measure).toEqual({ warmup: '2s', duration: '60s' });
  });

  it('may use shared fragments, also in its own fragments', () => {
    const shared = 'fragments: { everywhere: [Of all.] }\n';
    const account = `${ACCOUNT}  more: [{ use: everywhere }, Of this one.]\n`;
    const preset = PRESET.replace('changes: [', 'changes: [{ use: more }, ');
    const [made] = readPresets(
      files({ 'shared.yaml': shared, 'made/account.yaml': account, 'made/replicas.yaml': preset }),
    );
    expect(made!.published.changes).toEqual(['Of all.', 'Of this one.', 'The first.', 'The second.']);
  });

  it('is ordered by its place, and its presets by its order, with those not listed last', () => {
    const of = (name: string): string => PRESET.replace('name: Replicas', `name: ${name}`);
    const early = 'title: Early\nrepeated: once\nplace: 1\norder: [b]\n';
    const alone = (text: string): string =>
      text
        .replace('{ use: a-minute, warmup: 2s }', '{ duration: 60s }')
        .replaceAll('{ use: small }', 'Small.')
        .replaceAll('{ use: both }', 'Both.')
        .replace('compared: { rate: ingest.throughput }', '');
    const made = readPresets(
      files({
        'zoo/account.yaml': early,
        'zoo/a.yaml': alone(of('a')),
        'zoo/b.yaml': alone(of('b')),
      }),
    );
    expect(made.map(({ name }) => name)).toEqual(['b', 'a', 'replicas']);
  });
});

describe('a wrong file is reported with its path, the found value and what is allowed', () => {
  const preset = (from: string, to: string): Record<string, string> => {
    expect(PRESET).toContain(from);
    return { 'made/replicas.yaml': PRESET.replace(from, to) };
  };
  const figures = (from: string, to: string): Record<string, string> => {
    expect(FIGURES).toContain(from);
    return { 'made/replicas.figures.yaml': FIGURES.replace(from, to) };
  };
  const IN = 'common/presets/made/replicas.yaml';
  const OF = 'common/presets/made/replicas.figures.yaml';

  it.each<[string, Record<string, string | null>, string]>([
    ['its syntax', preset('quick: {', 'quick: {{'), `${IN}:15:1: `],
    [
      'an unknown key',
      preset('notes:', 'note:'),
      `${IN}: note: unknown key, did you mean notes? (found ["Before.","The first.","The second.","After."]; allowed: summary, definition, quick, variant-of, conditions, compared, notes, changes)`,
    ],
    [
      'a missing key',
      preset('quick:', '# quick:'),
      `${IN}: quick: is missing (allowed: an object of paths and values)`,
    ],
    [
      'a sentence with a colon that is not quoted',
      preset('After.]', '{ Note: after }]'),
      `${IN}: notes[2]: not an allowed value (found {"Note":"after"}; allowed: text, or { note: text, figures: columns, levels: of their rows })`,
    ],
    [
      'a file that is no object',
      { 'made/replicas.yaml': '- summary\n' },
      `${IN}: wrong type (found ["summary"]; allowed: an object)`,
    ],
    [
      'what is wrong in a fragment, where that is written',
      { 'made/account.yaml': ACCOUNT.replace('The second.', '2') },
      'common/presets/made/account.yaml: fragments.both[1]: wrong type (found 2; allowed: text)',
    ],
    [
      'a fragment that there is not',
      preset('{ use: small }', '{ use: smal }'),
      `${IN}: conditions[0].use: there is no fragment of this name (found "smal"; allowed: a-minute, small, both)`,
    ],
    [
      'a fragment that uses itself',
      { 'made/account.yaml': ACCOUNT.replace('The second.', '{ use: both }') },
      'common/presets/made/account.yaml: fragments.both[1].use: this fragment uses itself (found "both"; allowed: a-minute, small)',
    ],
    [
      'a text beside keys',
      preset('use: a-minute', 'use: small'),
      `${IN}: definition.measure.use: only an object can be used next to other keys (found "A small cluster."; allowed: a fragment that is an object)`,
    ],
    [
      'a fragment that nothing uses',
      { 'made/account.yaml': `${ACCOUNT}  idle: Idle.\n` },
      'common/presets/made/account.yaml: fragments.idle: nothing uses this fragment (found "Idle."; allowed: a fragment that is used)',
    ],
    [
      'a definition that could not be run',
      preset('docs: 10', 'docs: none'),
      `${IN}: definition: tasks[0].ingest.bulk.docs: wrong type (found "none"; allowed: a number)`,
    ],
    [
      'a short form that could not be run',
      preset('measure.duration: 5s', 'measure.duration: soon'),
      `${IN}: quick: measure.duration: `,
    ],
    [
      'a path of the short form that leads nowhere',
      preset('measure.duration: 5s', 'tasks.search.name: x'),
      `${IN}: quick: tasks.search.name: there is no tasks.search, only ingest`,
    ],
    [
      'a column that is compared and not printed',
      preset('rate: ingest.throughput', 'speed: ingest.throughput'),
      `${IN}: compared.speed: there is no such column (found "speed"; allowed: rate, layout)`,
    ],
    [
      'figures of which none is compared',
      preset('compared:', '# compared:'),
      `${IN}: compared: is missing (allowed: metrics of rate, layout)`,
    ],
    [
      'columns that are compared where nothing is printed',
      { 'made/replicas.figures.yaml': null },
      `${IN}: compared.rate: there is no such column (found "rate"; allowed: none, because there is no file of figures)`,
    ],
    [
      'a figure that is neither a number nor a text',
      figures('2_000', 'true'),
      `${OF}: rows[0].figures.rate: not an allowed value (found true; allowed: a number, a text such as 2-2-1, or null if none was published)`,
    ],
    [
      'a figure that is missing',
      figures(', rate: 2_000', ''),
      `${OF}: rows[0].figures.rate: is missing (allowed: a figure, or null if none was published)`,
    ],
    [
      'a figure without a column',
      figures('layout: 2-1', 'layout: 2-1, errors: 3'),
      `${OF}: rows[1].figures.errors: there is no such column (found 3; allowed: rate, layout)`,
    ],
    [
      'a name of a column',
      figures('rate: docs/s', '1: docs/s'),
      `${OF}: units.1: not an allowed value (found "1"; allowed: names of letters, digits, - and _, beginning with a letter)`,
    ],
    [
      'no preset has this name',
      { 'made/shards.figures.yaml': FIGURES },
      'common/presets/made/shards.figures.yaml: no preset has this name (found "shards.figures"; allowed: replicas.figures)',
    ],
    [
      'an account without its file',
      { 'made/account.yaml': null },
      'common/presets/made/account.yaml: is missing (allowed: a file with at least title and repeated)',
    ],
    [
      'an order that names no preset',
      { 'made/account.yaml': `${ACCOUNT}order: [shards]\n` },
      'common/presets/made/account.yaml: order[0]: there is no such preset (found "shards"; allowed: replicas)',
    ],
    [
      'a file that belongs to no account',
      { 'replicas.yaml': PRESET },
      'common/presets/replicas.yaml: is not a file of an account (allowed: common/presets/shared.yaml, or NAME.yaml in the folder of an account)',
    ],
    [
      'a preset with the name of another',
      { 'zoo/account.yaml': ACCOUNT, 'zoo/replicas.yaml': PRESET, 'zoo/replicas.figures.yaml': FIGURES },
      'common/presets/zoo/replicas.yaml: another preset has this name (found "common/presets/made/replicas.yaml"; allowed: a unique name)',
    ],
  ])('%s', (_, others, message) => {
    expect(problems(others)).toContain(message);
  });

  it('and all problems of several files at once', () => {
    expect(problems({ ...preset('notes:', 'note:'), ...figures('2_000', 'true') }).split('\n')).toHaveLength(
      2,
    );
  });
});

describe('a variant', () => {
  const variant = (of: string): string =>
    PRESET.replace('\ndefinition:', `\nvariant-of: ${of}\ndefinition:`).replace(
      'conditions: [{ use: small }]\n',
      '',
    );

  it('has the figures and conditions of the original preset, and its own notes', () => {
    const [first, second] = readPresets(files({ 'made/second.yaml': variant('replicas') }));
    expect(second!.name).toBe('second');
    expect(second!.published).toMatchObject({ variantOf: 'replicas', conditions: ['A small cluster.'] });
    expect(second!.published.rows).toEqual(first!.published.rows);
    expect(first!.published.variantOf).toBeUndefined();
  });

  it('needs an original preset with figures, and has no figures itself', () => {
    expect(problems({ 'made/second.yaml': variant('nothing') })).toMatch(
      /second\.yaml: variant-of: there is no such preset with figures .*allowed: replicas/,
    );
    expect(problems({ 'made/second.yaml': variant('second') })).toContain(
      'there is no such preset with figures',
    );
    expect(
      problems({ 'made/second.yaml': variant('replicas'), 'made/second.figures.yaml': FIGURES }),
    ).toContain('its figures are those of replicas');
  });
});
