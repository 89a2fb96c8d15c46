/** Tests that bodies, ids and values in a definition are either sent exactly as written, or refused. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDefinitionText } from '../../common/experiment/read';
import { Learner } from '../../server/learn/learner';
import { readProfile } from '../../common/generators/profile/profile';
import { challengeText } from '../../common/import/rally/account';
import { convertChallenge, definitionText } from '../../common/import/rally/definitions';
import { madeTrack, NO_PYTHON } from '../../common/import/rally/testing/made-track';
import { JsonNotHeld, parseExact, stringifyExact } from '../../common/json/exact';
import { parametersSchema } from '../../common/parameters/registry';
import { DynoError } from '../../common/problem';
import { createRandom } from '../../common/random';
import { judgeLine } from '../../common/replay/judge';
import { drawnAt, drawnText, drawnValue, filled } from '../../common/requests/template';
import { partRequest, requestJob, type WrittenRequest } from '../../common/tasks/request-list';
import { readColumn } from '../../server/load/sources/column';
import { Batch } from '../../server/load/sources/batch';
import { ProfileSource } from '../../server/load/sources/profile';
import { lookUpAll } from '../../server/run/trial/trials';
import { tryRequest } from '../../server/run/try-it/try-it';
import { Connection } from '../../server/target-cluster/connection';
import { madeBodies, madeScalar } from './made-json';

const COUNT = 10_000;

const isHeld = (text: string): boolean => {
  try {
    parseExact(text);
    return true;
  } catch (error) {
    if (error instanceof JsonNotHeld) return false;
    throw error;
  }
};

const bodies = madeBodies(createRandom(1), COUNT);
/** Generated bodies without duplicate keys. Dyno refuses all other generated bodies. */
const held = bodies.filter(isHeld);
const scalars = Array.from(
  { length: COUNT },
  (
    (random) => () =>
      madeScalar(random)
  )(createRandom(2)),
);
const groups = <Value>(all: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** Returns the bodies that the requests of a definition send. Parameters are replaced by random values. */
function sentBy(text: string): string[] {
  const [task] = readDefinitionText(text, 'definition.yml').tasks;
  const { list } = task!.requests!;
  return (list as WrittenRequest[]).flatMap((request) =>
    requestJob(request).steps.map(({ body }) => filled(body!, () => drawnText('index'))),
  );
}

const definition = (requests: readonly string[], more = ''): string =>
  [
    'version: 1',
    'name: exact',
    'index: { mapping: {} }',
    'measure: { duration: 1s }',
    'tasks:',
    '  - name: t',
    '    executor: { constant-rate: { rate: 1 } }',
    '    requests:',
    ...(more === '' ? [] : [`      parameters: ${more}`]),
    '      list:',
    ...requests.map((request, at) => `        - { name: r${at}, ${request} }`),
  ].join('\n');

const refusal = (action: () => unknown): string => {
  try {
    action();
    return 'taken';
  } catch (error) {
    return error instanceof DynoError
      ? error.problems.map(({ message }) => message).join('; ')
      : String(error);
  }
};

/**
 * Passes a value through JSON and structured clones. Pages send values to the server as JSON, and the server sends them to its threads as
 * structured clones.
 */
const overWire = <Value>(value: Value): Value => structuredClone(JSON.parse(JSON.stringify(value)) as Value);

let server: Server;
let connection: Connection;
let seen: string[];
let answer: (path: string) => string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (body !== '') seen.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer(request.url!));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  connection = new Connection({ hosts: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`] });
});
afterAll(async () => {
  await connection.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen = [];
  answer = () => '{}';
});

test('the bodies of a query log, including duplicate keys', () => {
  const rules = {
    ...({ format: 'ndjson', types: null, everyShard: false, timed: false, route: null } as const),
    ...{ rewrite: new Set<never>(), accept: new Set<never>(), routing: undefined },
  };
  const judged = bodies.map((body) =>
    judgeLine(`{"@timestamp":"2026-10-05T08:00:00.000Z","type":"a","body":${body}}`, rules),
  );
  expect(judged.map((one) => (one.kind === 'search' ? one.body : one.kind))).toEqual(bodies);
});

test('the bodies of a definition in YAML', () => {
  for (const group of groups(held, 100))
    expect(sentBy(definition(group.map((body) => `search: { body: ${body} }`)))).toEqual(group);
  for (const body of bodies.filter((one) => !isHeld(one)))
    expect(refusal(() => sentBy(definition([`search: { body: ${body} }`])))).toContain('must be unique');
});

test('the values of parameters in a definition', () => {
  for (const group of groups(held, 100)) {
    const text = definition(["search: { body: { a: '{{v}}' } }"], `{ v: { values: [${group.join()}] } }`);
    const [task] = readDefinitionText(text, 'definition.yml').tasks;
    const { values } = overWire(task!.requests!.parameters!['v']!);
    expect(values!.map((value) => drawnValue(value).json)).toEqual(group);
  }
});

describe('values of a file of documents', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-exact-'));
  const file = path.join(folder, 'values.ndjson');
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are sent unchanged', () => {
    writeFileSync(file, held.map((body) => `{"id":1,"v":${body}}\n`).join(''));
    expect(readColumn({ path: file, column: 'v' }).map((value) => drawnValue(value).json)).toEqual(held);
  });

  test('with duplicate keys are refused with their line', () => {
    for (const body of bodies.filter((one) => !isHeld(one))) {
      writeFileSync(file, `{"v":${body}}\n`);
      expect(refusal(() => readColumn({ path: file, column: 'v' }))).toContain('appears twice');
    }
  });
});

test('the ids of a multi get', () => {
  for (const group of groups(scalars, 500))
    expect(sentBy(definition([`mget: { ids: [${group.join()}] }`]))).toEqual([`{"ids":[${group.join()}]}`]);
});

test('the terms of a field', async () => {
  answer = () =>
    `{"aggregations":{"terms":{"buckets":[${scalars.map((key) => `{"key":${key},"doc_count":1}`).join()}]}}}`;
  const parameters = parametersSchema.parse({ t: { terms: { field: 'f', size: COUNT, by: 'even' } } });
  const { values } = overWire((await lookUpAll(connection, ['i'], [parameters]))(parameters)['t']!);
  expect(values!.map((value) => drawnValue(value).json)).toEqual(scalars);
});

test('a value from an answer, including duplicate keys', () => {
  const taken = bodies.map((body) => {
    const text = `{"took":1,"hits":{"hits":[{"_id":"1","_source":{"a":{"b":2},"o":${body}}}]}}`;
    return drawnAt(JSON.parse(text), text, ['hits', 'hits', '0', '_source', 'o'])!.json;
  });
  expect(taken).toEqual(bodies);
});

test('the sort values of a page, for the next one', () => {
  for (const group of groups(scalars, 4)) {
    const sort = `[${group.join()}]`;
    const text = `{"hits":{"hits":[{"sort":[1]},{"sort":[2.0]},{"_source":{"sort":"x"},"sort":${sort}}]}}`;
    expect(drawnAt(JSON.parse(text), text, ['hits', 'hits', 'last', 'sort'])!.json).toBe(sort);
  }
});

test('a request that is tried', async () => {
  for (const group of groups(held, 500)) {
    const text = definition([
      `http: { method: POST, path: '/{{index}}/_msearch', ndjson: [${group.join()}], allow-writes: true }`,
    ]);
    const [task] = readDefinitionText(text, 'definition.yml').tasks;
    const { name, http } = overWire(task!.requests!.list[0]!) as { name: string; http: unknown };
    seen = [];
    answer = (url) => (url.includes('_msearch') ? '{}' : '{"i":{"settings":{"index":{"uuid":"u"}}}}');
    await tryRequest(
      {
        target: 'local',
        request: partRequest.parse({ name, http }),
        parameters: {},
        seed: 1,
        draw: 0,
        index: 'i',
      },
      { connection, folder: '/', allowedHosts: undefined, signal: new AbortController().signal },
    );
    expect(seen).toEqual([group.map((body) => `${body}\n`).join('')]);
  }
});

describe('the searches of a Rally track', () => {
  const bodyOf = (group: readonly string[]): string => `{"size":1,"query":{"terms":{"a":[${group.join()}]}}}`;
  const imported = (body: string): { sent: string[]; text: string } => {
    const track = madeTrack(
      `{"version":2,"indices":[{"name":"i"}],"schedule":[{"operation":{"name":"a","operation-type":"search","body":${body}},"iterations":100.0}]}`,
    );
    const converted = convertChallenge(track, track.challenges[0]!, NO_PYTHON);
    return { sent: sentBy(definitionText(converted.files[0]!)), text: challengeText(converted) };
  };

  test('are sent unchanged', () => {
    for (const group of groups(held, 400)) {
      const body = bodyOf(group);
      const { sent, text } = imported(body);
      expect(sent).toEqual([body]);
      expect(text).not.toContain('only its last value counts');
    }
  });

  test('are sent with the last values of repeated keys, and the import names their places', () => {
    for (const one of bodies.filter((body) => !isHeld(body)).slice(0, 100)) {
      const body = bodyOf([one]);
      const { sent, text } = imported(body);
      // JavaScript also reads the last value of a repeated key.
      expect(sent.map((each) => JSON.parse(each) as unknown)).toEqual([JSON.parse(body)]);
      expect(sent.every(isHeld)).toBe(true);
      expect(text).toMatch(
        /## Not carried over\n[^]*`track\.json: schedule\[0\]\.operation\.body\.query\.terms\.a\[0\].*`: the key `.*` appears (twice|\d times); as in Rally, only its last value counts\./,
      );
    }
  });
});

test('the values that a profile keeps', () => {
  const numbers = scalars.filter((token) => !token.startsWith('"') && token !== '1e400');
  for (const group of groups([...new Set(numbers)], 400)) {
    const learner = new Learner({
      ...({ documents: 10_000, from: 'file', mapping: {}, settings: {} } as const),
      keep: new Set(['n']),
      keepFrom: 2,
    });
    for (const token of [...group, ...group, ...group])
      learner.observe(parseExact(`{"n":${token}}`) as Record<string, unknown>, 20);
    const profile = readProfile(stringifyExact(learner.finish()), 'made.profile.json');
    const batch = new Batch();
    new ProfileSource(profile, 'learned', { seed: 1, share: { index: 0, of: 1 }, actionLine: '' }).fill(
      batch,
      { docs: 4000, bytes: Infinity },
      0,
    );
    const made = new Set(
      batch
        .body()
        .toString()
        .trim()
        .split('\n')
        .map((line) => /^\{"n":(.*)\}$/.exec(line)![1]!),
    );
    expect([...made].filter((token) => !group.includes(token))).toEqual([]);
    expect(stringifyExact(profile)).toContain('"kept":[');
  }
});
