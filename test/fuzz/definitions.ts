/**
 * Creates hostile definitions from a seed: wide, deep, long or invalid. Dyno must accept or refuse each of them quickly, even a large one.
 */
import { oneOf, someOf, wholeBetween, type Random } from './random';

export interface HostileDefinition {
  /** Kind of the hostile definition, which the messages of the tests show. */
  kind: string;
  text: string;
}

/** Maximum number of characters of a definition, which is also the limit of the HTTP API. */
const LARGEST = 1_000_000;

const HEAD = 'version: 1\nname: hostile\n';
const TASK = '{ name: ingest, ingest: { source: { generator: systembase } } }';
const TASKS = `tasks: [${TASK}]\n`;

/** Short texts that have a meaning in YAML. */
const MARKS = [
  ...'-?:,[]{}#&*!|>\'"%@`~ \t\n\r',
  '- ',
  '? ',
  ': ',
  '---\n',
  '...\n',
  '<<: ',
  '!!str ',
  '!!binary ',
  '&a ',
  '*a ',
  '*a: ',
  '|+9\n',
  '>-\n',
  '"\\',
  '"\\x',
  '%YAML 1.1\n',
  '%TAG ! tag:a,2000:\n',
  '\u0000',
  '\u0085',
  '\u2028',
  '\ufeff',
];

const NUMBERS = [
  '0',
  '-0',
  '1e308',
  '1e309',
  '-1e400',
  '.nan',
  '.inf',
  '-.inf',
  '9007199254740993',
  '123456789012345678901234567890',
  '0x7fffffffffffffff',
  '0o777',
  '1_000_000',
  '1_0',
  '0.1',
  '4.9e-324',
  '99999999999',
  '2000-01-01',
  'null',
  'true',
];

const DURATIONS = [
  '99999999999h',
  '0s',
  '-1s',
  '1e9s',
  '8d',
  '7d',
  '0.0000001ms',
  '9'.repeat(400) + 's',
  '1s',
];

const LETTERS = ['a', 'é', 'e\u0301\u0301\u0301', '😀', '\ud800', 'ﷺ', '\u202e', 'İ', 'ß', '\u200d'];

const PATTERNS = [
  '(a+)+$',
  '(?<field>(.*)*)*',
  '%{COMBINEDAPACHELOG}',
  '%{DATA:a}%{GREEDYDATA:b}',
  '[[:alpha:]]',
  '(?<=a)(?<!b)',
  '%{',
  '\\A\\z\\k<a>',
  '(?>a)',
  '(((((',
  '[^',
  '{1,99999}',
  '%{INT:n:int}',
];

/** Returns a text of up to `most` words. It has fewer words if the text would be longer than `LARGEST`. */
function words(random: Random, most: number, word: (index: number) => string): string[] {
  const found: string[] = [];
  const count = wholeBetween(random, 1, most);
  for (let index = 0, length = 0; index < count && length < LARGEST; index += 1) {
    found.push(word(index));
    length += found[index]!.length;
  }
  return found;
}

const longText = (random: Random): string =>
  oneOf(random, LETTERS).repeat(Math.ceil(wholeBetween(random, 1, LARGEST / 2) / 2));

const quoted = (text: string): string => JSON.stringify(text);

const scalar = (random: Random): string =>
  oneOf<() => string>(random, [
    () => oneOf(random, NUMBERS),
    () => oneOf(random, DURATIONS),
    () => quoted(oneOf(random, LETTERS).repeat(wholeBetween(random, 0, 50))),
    () => 'a',
    () => '[]',
    () => '{}',
    () => `[${words(random, 20, () => oneOf(random, NUMBERS)).join(', ')}]`,
    () => `{ ${words(random, 20, (at) => `k${at}: ${oneOf(random, NUMBERS)}`).join(', ')} }`,
  ])();

/**
 * Functions that return a definition with `inner` in one of its sections. These sections may contain any keys: Dyno either accepts the keys
 * or reports each as unknown.
 */
const PLACES: readonly ((inner: string) => string)[] = [
  (inner) => `${HEAD}${TASKS}${inner}`,
  (inner) => `${HEAD}${TASKS}environment:\n${indented(inner)}`,
  (inner) => `${HEAD}${TASKS}index:\n  settings:\n${indented(indented(inner))}`,
  (inner) => `${HEAD}${TASKS}index:\n  mapping:\n${indented(indented(inner))}`,
  (inner) => `${HEAD}${TASKS}cluster:\n  settings:\n${indented(indented(inner))}`,
  (inner) => `${HEAD}${TASKS}factors:\n${indented(inner)}`,
  (inner) => `${HEAD}${TASKS}baseline:\n${indented(inner)}`,
  (inner) => `${HEAD}${TASKS}measure:\n${indented(inner)}`,
  (inner) => `${HEAD}tasks:\n  -\n${indented(indented(inner))}`,
  (inner) => `${HEAD}tasks:\n  - name: ingest\n    ingest:\n${indented(indented(indented(inner)))}`,
  (inner) =>
    `${HEAD}tasks:\n  - name: find\n    search:\n      requests:\n        - name: a\n          body:\n${indented(inner, 12)}`,
  (inner) => inner,
];

const indented = (text: string, by = 2): string =>
  text
    .split('\n')
    .map((line) => ' '.repeat(by) + line)
    .join('\n');

const keysIn = (random: Random, most: number): string => {
  const key = oneOf<(at: number) => string>(random, [
    (at) => `k${at}`,
    (at) => `index.settings.k${at}`,
    (at) => `"${oneOf(random, LETTERS)}${at}"`,
    (at) => `environment.e${at}`,
    () => 'same',
    (at) => `tasks.ingest.ingest.bulk.docs${at}`,
  ]);
  const value = scalar(random);
  return words(random, most, (at) => `${key(at)}: ${value}`).join('\n');
};

const KINDS: Readonly<Record<string, (random: Random) => string>> = {
  wide: (random) => oneOf(random, PLACES)(keysIn(random, oneOf(random, [100, 2500, 5000, 40_000, 60_000]))),

  'wide within brackets': (random) => {
    const values = words(random, oneOf(random, [100, 9000, 100_000]), () =>
      oneOf(random, ['1', 'a', '[]', '{a: 1}']),
    );
    return oneOf(
      random,
      PLACES,
    )(`${oneOf(random, ['list', 'tags', 'factors', 'expect'])}: [${values.join(',')}]`);
  },

  deep: (random) => {
    const levels = wholeBetween(random, 10, oneOf(random, [60, 98, 120, 100_000]));
    const [open, close] = oneOf(random, [
      ['[', ']'],
      ['{a: ', '}'],
      ['[{a: ', '}]'],
    ] as const);
    return oneOf(
      random,
      PLACES,
    )(`deep: ${open.repeat(levels)}1${close.repeat(oneOf(random, [levels, 0, 1]))}`);
  },

  'deep by lines': (random) => {
    const levels = wholeBetween(random, 10, oneOf(random, [90, 500, 1300]));
    return Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}k:`).join('\n');
  },

  long: (random) => {
    const text = longText(random);
    const value = oneOf(random, [
      quoted(text),
      `|\n${text}`,
      text,
      `'${text}`,
      `"${text}`,
      `[${quoted(text)}, ${quoted(text)}]`,
      `! ${text}`,
    ]).slice(0, LARGEST - 1000);
    return oneOf(random, [
      `${HEAD}${TASKS}hypothesis: ${value}`,
      `${HEAD}${TASKS}${value}: 1`,
      `${HEAD}${TASKS}? ${value}\n: 1`,
      `${HEAD}${TASKS}expect: [${value}]`,
      `${HEAD}${TASKS}schedule: ${value}`,
      `${HEAD}${TASKS}target: ${value}`,
      `${HEAD}${TASKS}factors: { index.settings.a: [1, 2, ${value}], index.settings.b: [1, 2, 3] }`,
      `${HEAD}tasks: [{ name: ${value}, ingest: {} }]`,
      `${HEAD}tasks: [{ name: i, ingest: { source: { file: a, format: lines }, parse: { pattern: ${value} } } }]`,
    ]);
  },

  lines: (random) =>
    `${HEAD}${TASKS}${oneOf(random, ['#\n', '\n', ' \n', '# a # b\n', '\t\n', '\r\n', '---\n', '- \n', '? \n', ': \n', '"a"\n', 'a\n']).repeat(wholeBetween(random, 1, oneOf(random, [100, 5000, 200_000])))}`,

  aliases: (random) => {
    const wide = `x: &x [${words(random, 3000, (at) => String(at)).join(',')}]\n`;
    return oneOf(random, [
      `${wide}y: [${words(random, 3000, () => '*x').join(',')}]`,
      words(random, 40, (at) => `a${at}: &a${at} [${at === 0 ? '1' : `*a${at - 1}, *a${at - 1}`}]`).join(
        '\n',
      ),
      words(random, 3000, (at) => `a${at}: &a${at} ${at === 0 ? '1' : `[*a${at - 1}]`}`).join('\n'),
      words(random, 3000, (at) => `a${at}: &same ${at}\nb${at}: *same`).join('\n'),
      words(random, 3000, (at) => `a${at}: *missing${at}`).join('\n'),
      'a: &a { b: *a }',
      '&a [*a, *a, *a]',
      `x: &x {${words(random, 1000, (at) => `k${at}: 1`).join(',')}}\n${words(random, 90, () => '? *x\n: 1').join('\n')}`,
      `x: &x {${words(random, 1000, (at) => `k${at}: 1`).join(',')}}\ny: {${words(random, 90, () => '<<: *x').join(',')}}`,
      `${HEAD}t: &t ${TASK}\ntasks: [${words(random, 2000, () => '*t').join(',')}]`,
    ]);
  },

  wrong: (random) => {
    const whole = `${HEAD}${TASKS}factors: { index.settings.a: [1, 2] }\nmeasure: { duration: 5m }\n`;
    let text = whole;
    for (let left = wholeBetween(random, 1, 20); left > 0; left -= 1) {
      const at = wholeBetween(random, 0, text.length);
      const inserted = oneOf(random, MARKS).repeat(oneOf(random, [1, 1, 2, 50, 5000]));
      text = text.slice(0, at) + inserted + text.slice(at + wholeBetween(random, 0, 5));
    }
    return text;
  },

  marks: (random) =>
    someOf(random, MARKS, 3)
      .join('')
      .repeat(wholeBetween(random, 1, oneOf(random, [20, 2000, 100_000]))),

  numbers: (random) => {
    const path = oneOf(random, [
      'trials',
      'seed',
      'margin',
      'request-timeout',
      'measure: { duration',
      'measure: { documents',
      'measure: { warmup',
      'preload: { documents',
      'index: { count',
      'schedule',
      'version',
    ]);
    const value = oneOf(random, [...NUMBERS, ...DURATIONS]);
    return `${HEAD}${TASKS}${path}: ${value}${path.includes('{') ? ' }' : ''}`;
  },

  executors: (random) => {
    const [n, m, d] = [oneOf(random, NUMBERS), oneOf(random, NUMBERS), oneOf(random, DURATIONS)];
    const executor = oneOf(random, [
      `constant-clients: { clients: ${n}, think-time: ${d} }`,
      `ramping-clients: { start: ${n}, stages: [${words(random, 200, () => `{ clients: ${m}, over: ${d} }`).join(', ')}] }`,
      `constant-rate: { rate: ${n}, max-clients: ${m} }`,
      `constant-rate: { every: ${d} }`,
      `ramping-rate: { start: ${n}, stages: [${words(random, 200, () => `{ rate: ${m}, over: ${d} }`).join(', ')}] }`,
      `highest-rate: { start: ${n}, limits: [${words(random, 200, () => 'latency.p99 < 1ms').join(', ')}], hold: ${d}, step: ${d}, max: ${m} }`,
      `recorded: { speed: ${n} }`,
    ]);
    return `${HEAD}tasks: [{ name: i, ingest: { source: { generator: systembase } }, executor: { ${executor} } }]`;
  },

  patterns: (random) => {
    const pattern = quoted(
      oneOf(random, PATTERNS).repeat(wholeBetween(random, 1, oneOf(random, [1, 50, 2000, 20_000]))),
    );
    const own = oneOf<() => string[]>(random, [
      () => words(random, 3000, (at) => `P${at}: ${pattern}`),
      () =>
        words(
          random,
          90,
          (at) => `P${at}: '${at === 0 ? 'a' : `%{P${at - 1}}`.repeat(wholeBetween(random, 1, 50))}'`,
        ),
      () => words(random, 90, (at) => `P${at}: '%{P${(at + 1) % 90}:f${at}}'`),
      () => words(random, 90, (at) => `P${at}: '${words(random, 900, (n) => `%{Q${at}x${n}}`).join('')}'`),
      () => [],
    ])();
    const asked = oneOf(random, [pattern, '%{P5:a}', `[${words(random, 30, () => pattern).join(', ')}]`]);
    const factors = oneOf(random, [
      '',
      `\nfactors: { tasks.i.ingest.parse.workers: [${words(random, 64, (at) => String(at + 1)).join(',')}] }`,
    ]);
    return `${HEAD}tasks: [{ name: i, ingest: { source: { generator: apache-access-lines }, parse: { pattern: ${asked.startsWith('%') ? quoted(asked) : asked}, patterns: { ${own.join(', ')} } } } }]${factors}`;
  },

  conditions: (random) => {
    const mark = oneOf(random, [
      '<',
      'ingest.throughput',
      ' ',
      'ingest.latency.p99 <',
      'a.b.',
      'ingest.throughput rises with ',
    ]);
    const text = oneOf(random, [
      'ingest.throughput rises with index.settings.a from 1 to 2 by at least 5%',
      'ingest.rejection_rate < 1%',
      mark.repeat(Math.ceil(wholeBetween(random, 1, 1000) / mark.length)),
    ]);
    const list = words(random, oneOf(random, [20, 100, 5000]), () => quoted(text)).join(', ');
    const factors = words(
      random,
      30,
      (at) => `index.settings.${'abcdefghijklmnopqrstuvwxyzABCD'[at]}: [1, 2, 3]`,
    );
    return `${HEAD}${TASKS}${oneOf(random, ['expect', 'thresholds', 'stop-when', 'tags'])}: [${list}]\nfactors: { ${factors.join(', ')} }`;
  },

  cells: (random) => {
    const tasks = words(random, oneOf(random, [1, 10, 50, 3000]), (at) =>
      TASK.replace('ingest', `i${at}`),
    ).join(', ');
    const path = oneOf(random, [
      'index.settings.a',
      'tasks.i0.ingest.bulk.docs',
      'tasks.i0.executor.constant-clients.clients',
      'environment.disk',
      'cluster.settings.a',
      'index.mapping',
      'preload.documents',
      'index.existing',
      'measure.caches',
      'tasks',
      'measure.duration',
      'tasks.i0.missing',
      'trials',
      'name',
      '__proto__',
      'index.__proto__.a',
      'environment.__proto__',
      'index.settings.__proto__',
    ]);
    const value = oneOf<(at: number) => string>(random, [
      (at) => String(at + 1),
      (at) => `${at + 1}s`,
      () => scalar(random),
    ]);
    const crossed = `{ ${path}: [${words(random, oneOf(random, [30, 1000, 3000]), value).join(',')}], index.settings.b: [${words(random, 30, String).join(',')}], index.settings.c: [1, 2] }`;
    const listed = `[${words(random, oneOf(random, [30, 1000, 3000]), (at) => `{ ${path}: ${value(at)} }`).join(', ')}]`;
    const manyPaths = `[{ ${words(random, 3000, (at) => `a.b.c${at}.enabled: 1`).join(', ')} }]`;
    const extra = oneOf(random, [
      '',
      'preload: { documents: 5, reuse: copy }\n',
      'index: { existing: products, allow-writes: true }\n',
      'trials: 1000\n',
      'baseline: { index.settings.a: 1 }\n',
      `environment: { ${words(random, 120, (at) => `l${at}: x`).join(', ')} }\n`,
      `index: { settings: { ${words(random, 2000, (at) => `s${at}: 1`).join(', ')} } }\n`,
      `index: { mapping: { properties: { ${words(random, 1500, (at) => `f${at}: { type: keyword }`).join(', ')} } } }\n`,
      `thresholds: [${words(random, 100, () => "'i0.rejection_rate < 1%'").join(', ')}]\n`,
    ]);
    return `${HEAD}tasks: [${tasks}]\n${extra}factors: ${oneOf(random, [crossed, crossed, listed, listed, manyPaths])}`;
  },

  schedules: (random) =>
    `${HEAD}${TASKS}schedule: ${quoted(
      oneOf(random, [
        'every 99999999999h',
        'every 0m',
        '* * * * *',
        '0 0 30 2 *',
        '0 0 29 2 *',
        '*/0 * * * *',
        '0-59/1,0-59/1,0-59/1 * * * *',
        `${words(random, 300, (at) => String(at % 60)).join(',')} * * * *`,
        '0 0 31 4,6,9,11 *',
        '0 0 L * *',
        '0 0 * * 5#5',
        '* '.repeat(wholeBetween(random, 1, 400)),
      ]),
    )}`,
};

export const HOSTILE_KINDS: readonly string[] = Object.keys(KINDS);

/** Creates a hostile definition. `kind`: its kind; by default, a random one. The same random numbers give the same text. */
export function hostileDefinition(random: Random, kind = oneOf(random, HOSTILE_KINDS)): HostileDefinition {
  const make = KINDS[kind];
  if (make === undefined) throw new Error(`unknown kind ${kind}`);
  return { kind, text: make(random).slice(0, LARGEST) };
}
