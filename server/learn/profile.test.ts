import { generatorNamed, type GeneratorName } from '../../common/generators/registry';
import { Learner, type LearnSetting } from './learner';
import { readProfile, slotsOf, type Profile } from '../../common/generators/profile/profile';
import { TIME_FORM_NAMES } from '../../common/generators/profile/times';
import { WORD_CLASSES } from '../../common/generators/profile/words';
import { createRandom } from '../../common/random';
import { Batch } from '../load/sources/batch';
import { GeneratorSource } from '../load/sources/generator';
import { ProfileSource } from '../load/sources/profile';

type Document = Record<string, unknown>;

const NOW = Date.UTC(2026, 10, 20, 15, 40, 0, 123);
const DOCUMENTS = 2000;

function generated(generator: GeneratorName): Document[] {
  const source = new GeneratorSource(generatorNamed(generator).document(), { seed: 1, actionLine: '' });
  const documents: Document[] = [];
  const batch = new Batch();
  // There are ten documents in each second.
  for (let at = 0; at < DOCUMENTS; at += 10) {
    batch.clear();
    source.fill(batch, { docs: 10, bytes: Infinity }, NOW + at * 100);
    for (const line of batch.body().toString('utf8').trim().split('\n'))
      documents.push(JSON.parse(line) as Document);
  }
  return documents;
}

const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length]!;

/** Documents with features that log lines lack: objects in lists, nulls, other alphabets, decimals, counters and optional fields. */
const orders: Document[] = Array.from({ length: 2000 }, (_, at) => ({
  '@timestamp': new Date(NOW + at * 700).toISOString(),
  order: 4_711_000 + at * 3,
  customer: {
    name: pick(['Jürgen Müller', 'Zoë Smith', '山田太郎さん', 'Ole Ødegård'], at * 7),
    vip: at % 5 === 0,
  },
  items: Array.from({ length: at % 4 }, (__, item) => ({
    sku: `SKU-${(at * 31 + item) % 400}`,
    price: Math.round(((at * 37 + item * 11) % 20_000) * 1.3) / 100,
  })),
  tags: at % 3 === 0 ? null : ['seasonal', 'clearance'].slice(0, at % 3),
  ...(at % 4 === 0 ? { coupon: `WINTER${at % 16}` } : {}),
  note: `line one\n"quoted" \\ ${'veryspecialword'.slice(0, 6 + (at % 9))} ends`,
  empty: {},
}));

const SAMPLES: readonly [string, Document[], object][] = [
  ['apache-logs', generated('apache-logs'), generatorNamed('apache-logs').mapping],
  ['http-events', generated('http-events'), generatorNamed('http-events').mapping],
  ['orders', orders, {}],
];

function learned(
  documents: readonly Document[],
  mapping: object,
  setting: Partial<LearnSetting> = {},
): Profile {
  const learner = new Learner({
    documents: 10_000,
    from: 'file',
    mapping: mapping as LearnSetting['mapping'],
    settings: {},
    keep: new Set(),
    ...setting,
  });
  for (const document of documents) learner.observe(document, Buffer.byteLength(JSON.stringify(document)));
  return readProfile(JSON.stringify(learner.finish()), 'test.profile.json');
}

const made = (
  profile: Profile,
  docs: number,
  { seed = 1, share = { index: 0, of: 1 }, time = 'learned' as 'learned' | 'now' } = {},
): string[] => {
  const batch = new Batch();
  new ProfileSource(profile, time, { seed, share, actionLine: '' }).fill(
    batch,
    { docs, bytes: Infinity },
    NOW,
  );
  return batch.body().toString('utf8').trim().split('\n');
};

/** Calls `meet` for each value of a document, with the path of its field. */
function leavesOf(value: unknown, meet: (path: string, leaf: unknown) => void, path = ''): void {
  if (Array.isArray(value)) for (const one of value) leavesOf(one, meet, path);
  else if (typeof value === 'object' && value !== null)
    for (const [key, below] of Object.entries(value))
      leavesOf(below, meet, path === '' ? key : `${path}.${key}`);
  else meet(path, value);
}

function distinctOf(documents: readonly Document[]): Map<string, Set<unknown>> {
  const found = new Map<string, Set<unknown>>();
  for (const document of documents)
    leavesOf(document, (path, leaf) => found.set(path, (found.get(path) ?? new Set()).add(leaf)));
  return found;
}

/** Returns all strings and numbers in a profile in two lists. Field names, the mapping and the settings are left out. */
function contentOf({ mapping: _mapping, settings: _settings, ...profile }: Profile): {
  texts: string[];
  numbers: number[];
} {
  const texts: string[] = [];
  const numbers: number[] = [];
  const visit = (value: unknown, key = ''): void => {
    if (typeof value === 'string' && key !== 'name') texts.push(value);
    else if (typeof value === 'number') numbers.push(value);
    else if (Array.isArray(value)) for (const one of value) visit(one);
    else if (typeof value === 'object' && value !== null)
      for (const [below, one] of Object.entries(value)) visit(one, below);
  };
  visit(profile);
  return { texts, numbers };
}

describe.each(SAMPLES)('a profile of %s', (_name, documents, mapping) => {
  const profile = learned(documents, mapping);

  test('contains only kinds, marks between words, and small numbers', () => {
    const { texts, numbers } = contentOf(profile);
    const words = new Set<string>([...WORD_CLASSES, ...TIME_FORM_NAMES, 'string', 'number', 'index', 'file']);
    expect(texts.filter((text) => !words.has(text) && !/^[^\p{L}\p{N}]{0,3}$/u.test(text))).toEqual([]);
    expect(numbers.filter((number) => !Number.isInteger(number) || Math.abs(number) > 999)).toEqual([]);
  });

  test('contains no value of any document and no word of a value', () => {
    // The stored profile without field names and mapping parameters.
    const { texts, numbers } = contentOf(profile);
    const stored = `\n${[...new Set<string | number>([...texts, ...numbers])].join('\n')}\n`;
    const vocabulary = new Set([...WORD_CLASSES, ...TIME_FORM_NAMES, 'string', 'number', 'index', 'file']);
    const values = new Set<string>();
    for (const document of documents)
      leavesOf(document, (_path, leaf) => {
        values.add(String(leaf));
        for (const word of String(leaf).match(/[\p{L}\p{N}_.]+/gu) ?? []) values.add(word);
      });
    const looked = [...values].filter((value) => value.length > 3 && !vocabulary.has(value));
    expect(looked.length).toBeGreaterThan(1000);
    expect(looked.filter((value) => stored.includes(value))).toEqual([]);
  });

  test('generates JSON with similar fields, sizes and distinct values', () => {
    const lines = made(profile, documents.length);
    const ours = distinctOf(lines.map((line) => JSON.parse(line) as Document));
    const theirs = distinctOf(documents);
    // Points that are written as texts are not learned.
    theirs.delete('SourceLatLong');
    expect([...ours.keys()].sort()).toEqual([...theirs.keys()].sort());
    const bytes = (all: readonly string[]): number =>
      all.reduce((sum, line) => sum + Buffer.byteLength(line), 0) / all.length;
    const ratio = bytes(lines) / bytes(documents.map((document) => JSON.stringify(document)));
    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
    const far = [...theirs]
      .map(([path, { size }]) => [path, size, ours.get(path)!.size] as const)
      .filter(
        ([path, one, other]) => path !== '@timestamp' && Math.abs(other - one) > Math.max(2, one * 0.1),
      );
    expect(far).toEqual([]);
  });

  test('generates the same bytes for the same seed, and different ones for another', () => {
    const lines = made(profile, 500);
    expect(made(profile, 500)).toEqual(lines);
    expect(made(profile, 500, { seed: 2 })).not.toEqual(lines);
  });
});

const [, apache, apacheMapping] = SAMPLES[0]!;

test('several load threads together generate as many distinct values as one', () => {
  const profile = learned(apache, apacheMapping);
  const shares = [0, 1, 2].map((index) =>
    made(profile, DOCUMENTS / 3, { seed: index, share: { index, of: 3 } }),
  );
  const together = distinctOf(shares.flat().map((line) => JSON.parse(line) as Document));
  const theirs = distinctOf(apache);
  for (const field of ['clientip', 'request'])
    expect(together.get(field)!.size / theirs.get(field)!.size).toBeCloseTo(1, 0.8);
});

test('a raw line contains the values of the fields that were parsed from it, and its time', () => {
  const lines = made(learned(apache, apacheMapping), 500).map(
    (line) => JSON.parse(line) as Record<string, string>,
  );
  const without = lines.filter(
    ({ message, clientip, request, agent }) =>
      ![clientip, request, agent].every((value) => message!.includes(value!)),
  );
  // A short value may also occur by chance earlier in the line.
  expect(without.length).toBeLessThan(10);
  expect(
    lines.filter(({ message }) => !/\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000/.test(message!)),
  ).toEqual([]);
});

test('dependencies between fields hold in generated documents', () => {
  const documents = Array.from({ length: 3000 }, (_, at) => {
    const host = (at * 7919) % 40;
    return { host: `host-${host}`, address: `10.1.0.${host}`, status: pick(['up', 'down'], at) };
  });
  const addresses = new Map<string, Set<string>>();
  for (const line of made(learned(documents, {}), 3000)) {
    const { host, address } = JSON.parse(line) as Record<string, string>;
    addresses.set(host!, (addresses.get(host!) ?? new Set()).add(address!));
  }
  expect(addresses.size).toBe(40);
  expect(Math.max(...[...addresses.values()].map(({ size }) => size))).toBeLessThanOrEqual(2);
});

/** Visits with twelve pages each. Three visits are always in progress at the same time. Each visitor has a user agent and an origin. */
const visits: Document[] = Array.from({ length: 3000 }, (_, at) => {
  const visit = Math.floor(at / 36) * 3 + (at % 3);
  return {
    client: `10.0.${visit % 250}.${(visit * 7) % 250}`,
    agent: `Browser/${(visit * 13) % 90}`,
    referrer: at % 36 < 3 ? '-' : `https://site.example/page-${(visit * 5) % 60}`,
    page: `/page/${(at * 7919) % 800}`,
  };
});

/** Returns the share of documents that have the same values of `fields` as one of the `most` documents before them. */
function againWithin(documents: readonly Document[], most: number, ...fields: string[]): number {
  const last = new Map<string, number>();
  const again = documents.filter((document, at) => {
    const key = JSON.stringify(fields.map((field) => document[field]));
    const before = last.get(key);
    last.set(key, at);
    return before !== undefined && at - before <= most;
  });
  return again.length / documents.length;
}

test('documents of a session are as close to each other and have as much in common as the originals', () => {
  const ours = made(learned(visits, {}), visits.length).map((line) => JSON.parse(line) as Document);
  for (const fields of [['client'], ['client', 'agent'], ['client', 'agent', 'referrer']])
    for (const most of [1, 3, 8])
      expect(
        Math.abs(againWithin(ours, most, ...fields) - againWithin(visits, most, ...fields)),
      ).toBeLessThan(0.1);
});

test('a short value is replaced in a text only where it means its field', () => {
  const documents = Array.from({ length: 2000 }, (_, at) => {
    const host = `host-${(at * 7919) % 50}`;
    const referrer = at % 3 === 0 ? `https://other.example/${at % 40}` : '-';
    return { host, referrer, message: `${host} - - "GET /" "${referrer}" end` };
  });
  const lines = made(learned(documents, {}), 2000).map((line) => JSON.parse(line) as Record<string, string>);
  const wrong = lines.filter(
    ({ message, referrer }) =>
      !message!.endsWith(`"${referrer}" ${message!.split(' ').at(-1)}`) || !/^\S+ - - "/.test(message!),
  );
  expect(wrong).toEqual([]);
});

test('words that several fields share are the same in all of them', () => {
  const documents = Array.from({ length: 1000 }, (_, at) => ({
    page: `/articles/${at % 70}`,
    from: `from articles by ${at % 90}`,
  }));
  const lines = made(learned(documents, {}), 200).map((line) => JSON.parse(line) as Record<string, string>);
  const words = new Set(lines.map(({ page }) => /[a-z]+/.exec(page!)![0]));
  expect([...words]).toHaveLength(1);
  expect(lines.filter(({ from }) => !from!.includes([...words][0]!))).toEqual([]);
});

test('documents have the time of their generation, unless the time of the profile is requested', () => {
  const profile = learned(orders, {});
  const times = (lines: readonly string[]): number[] =>
    lines.map((line) => Date.parse((JSON.parse(line) as { '@timestamp': string })['@timestamp']));
  expect(new Set(times(made(profile, 100, { time: 'now' })))).toEqual(new Set([NOW]));
  const own = times(made(profile, 1000));
  // The documents are 700 ms apart. The result is within the width of a bucket.
  expect((own.at(-1)! - own[0]!) / 999).toBeGreaterThan(500);
  expect((own.at(-1)! - own[0]!) / 999).toBeLessThan(900);
});

test('keeps the values of the requested fields, and of no other', () => {
  const profile = learned(orders, {}, { keep: new Set(['customer.name']) });
  const { texts } = contentOf(profile);
  expect(texts).toContain('Zoë Smith');
  expect(texts.join('\n')).not.toMatch(/SKU|WINTER|seasonal/);
  const names = new Set(
    made(profile, 500).map((line) => (JSON.parse(line) as { customer: { name: string } }).customer.name),
  );
  expect([...names].sort()).toEqual(['Jürgen Müller', 'Ole Ødegård', 'Zoë Smith', '山田太郎さん'].sort());
});

test('keeps only values that enough documents have, and generates others that differ from those', () => {
  const random = createRandom(1);
  const documents = Array.from({ length: 3000 }, (_, at) => ({
    '@timestamp': new Date(NOW + at * 1000).toISOString(),
    status: at % 1000 === 7 ? 503 + (at % 9) : pick([200, 200, 200, 304, 404], random.below(5)),
    // The value occurs often, but in only one document.
    tags: at === 11 ? Array.from({ length: 40 }, () => 'only-here') : [pick(['blue', 'green'], at)],
    user: `user-${random.below(40)}`,
  }));
  const mapping = { properties: { status: { type: 'integer' }, tags: { type: 'keyword' } } };
  const profile = learned(documents, mapping, { keep: new Set(['status', 'tags']), keepFrom: 20 });
  expect(profile.keeps).toEqual({ fields: ['status', 'tags'], from: 20 });
  const stored = JSON.stringify(profile);
  expect(stored).toContain('"blue"');
  for (const secret of ['only-here', '503', '504', '505', 'user-']) expect(stored).not.toContain(secret);
  const statuses = made(profile, 3000).map((line) => (JSON.parse(line) as { status: number }).status);
  const share = (status: number): number => statuses.filter((own) => own === status).length / statuses.length;
  expect(share(200)).toBeCloseTo(0.6, 1);
  expect(share(404)).toBeCloseTo(0.2, 1);
  const others = statuses.filter((status) => ![200, 304, 404].includes(status));
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThan(documents.length / 50);
  // All other values are in the bucket from 503 to 511.
  expect(others.filter((status) => status < 430 || status > 620)).toEqual([]);
  expect(learned(documents, mapping).keeps).toBeUndefined();
});

test('refuses an invalid profile with the reason', () => {
  const profile = learned(orders, {});
  const read =
    (changed: object | string): (() => Profile) =>
    () =>
      readProfile(typeof changed === 'string' ? changed : JSON.stringify(changed), 'x.json');
  expect(read('{')).toThrow('x.json: is not JSON');
  expect(read({ ...profile, version: 2 })).toThrow('has a version that this Dyno cannot read');
  expect(read({ ...profile, secret: 1 })).toThrow('is not a valid profile');
  expect(read({ ...profile, clock: [[0, 1000]] })).toThrow('x.json: clock.0.1');
  const broken = structuredClone(profile);
  broken.root.shapes = [[0, [99]]];
  expect(read(broken)).toThrow('a shape contains an unknown field');
  const looped = structuredClone(profile);
  const slots = slotsOf(looped.root);
  const place = slots.findIndex(({ value }) => value?.draw !== undefined);
  slots[place]!.value!.draw!.parent = place;
  expect(read(looped)).toThrow('depends on itself');
});

test('writes hostile field names as valid JSON', () => {
  const name = 'a"b\\c\n\u2028';
  const documents = Array.from({ length: 200 }, (_, at) => ({ [name]: `v${at}`, __proto__x: at }));
  for (const line of made(learned(documents, {}), 50))
    expect(Object.keys(JSON.parse(line) as object)).toEqual([name, '__proto__x']);
});

test('generates integers beyond the exact range of a double, as often as in the originals', () => {
  const documents = Array.from({ length: 300 }, (_, at) => ({ big: 2 ** 70, small: -(2 ** 64), at }));
  const values = made(learned(documents, {}), 50).map(
    (line) => JSON.parse(line) as { big: number; small: number },
  );
  expect(values).toHaveLength(50);
  for (const { big, small } of values)
    expect({ big: big > 2 ** 50, small: small < -(2 ** 50) }).toEqual({ big: true, small: true });
});

test('generates texts for a field with numbers and some texts', () => {
  const documents = Array.from({ length: 300 }, (_, at) => ({ mixed: at % 30 === 0 ? 'none' : at % 7 }));
  for (const line of made(learned(documents, {}), 50))
    expect(typeof (JSON.parse(line) as { mixed: unknown }).mixed).toBe('string');
});

test('learns the most frequent fields if there are too many for a profile', () => {
  const names = Array.from({ length: 1300 }, (_, at) => `f${at}`);
  const documents = Array.from({ length: 120 }, (_, at) =>
    Object.fromEntries(
      names.flatMap((name, place) => (place < 900 || at % 10 === place % 10 ? [[name, at]] : [])),
    ),
  );
  const learner = new Learner({ documents: 200, from: 'index', mapping: {}, settings: {}, keep: new Set() });
  for (const document of documents) learner.observe(document, 100);
  const { root } = readProfile(JSON.stringify(learner.finish()), 'test.profile.json');
  expect(root.fields).toHaveLength(999);
  expect(root.fields.slice(0, 900).map(({ name }) => name)).toEqual(names.slice(0, 900));
  expect(learner.leftOut).toMatchObject([{ reason: expect.stringContaining('at most 999 fields') }]);
  expect(learner.leftOut[0]!.fields).toHaveLength(301);
});
