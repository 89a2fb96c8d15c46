import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Offered } from '../../../common/elasticsearch/capabilities';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { readDefinition } from '../../../common/experiment/read';
import type { ReplayJob } from '../../../common/tasks/replay';
import { checkReplays, existingIndices, replayJob } from './replay';

function jobOf(replay: object, index: object = {}, seed = 1): ReplayJob {
  const [{ definition }] = resolveCells(
    readDefinition({
      version: 1,
      name: 'a',
      seed,
      index,
      tasks: [{ name: 'shop', replay: { file: 'searches.log', ...replay } }],
    }),
  ) as [ResolvedCell];
  const [task] = definition.tasks;
  return replayJob({ ...task!, replay: task!.replay! }, definition, '/corpora') as ReplayJob;
}

const byStore = { field: 'store_id', by: 'hash' };

test('a file is resolved against the folder of the definition; a generated log depends only on the seed', () => {
  expect(jobOf({}).source).toEqual({ kind: 'file', file: '/corpora/searches.log' });
  const made = { file: undefined, generator: 'storefront' };
  expect(jobOf(made).source).toMatchObject({ kind: 'generator', generator: 'storefront' });
  expect(jobOf(made)).toEqual(jobOf(made));
  expect(jobOf(made, {}, 2).source).not.toEqual(jobOf(made).source);
});

test('a route names existing indices, indices of the trial by number, or all indices of the trial', () => {
  const indices = ['trial', { trial: 2 }, { existing: 'stores' }];
  const route = { field: 'store_id', modulo: 3, indices, names: ['a', 'b', 'c'] };
  expect(jobOf({ route }, { count: 2 }).route).toEqual({
    field: 'store_id',
    modulo: 3,
    by: 'remainder',
    indices: [null, 2, 'stores'],
    names: ['a', 'b', 'c'],
  });
  const { replay } = readDefinition({
    version: 1,
    name: 'a',
    index: { count: 2 },
    tasks: [{ name: 'shop', replay: { file: 'a', route } }],
  }).tasks[0]!;
  expect(existingIndices(replay!)).toEqual(['stores']);
});

test('searches use the route of the documents, in trials with one index too', () => {
  const routed = (count: number): ReplayJob['route'] =>
    jobOf({ route: 'index' }, { count, route: byStore }).route;
  expect(routed(3)).toEqual({ ...byStore, modulo: 3, indices: [1, 2, 3], names: null });
  expect(routed(1)).toEqual({ ...byStore, modulo: 1, indices: [1], names: null });
  expect(jobOf({ route: 'index' }).route).toBeNull();
});

describe('before a run, the searches of a log are compared with the features of the target', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dyno-replay-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const KQL = '{"query":{"kql":{"query":"a: 1"}}}';
  const MATCH = '{"query":{"match":{"a":"b"}}}';
  const check = (lines: string[], isKnown = true): Promise<string[]> => {
    writeFileSync(join(folder, 'a.ndjson'), lines.map((line) => `${line}\n`).join(''));
    const cells = resolveCells(
      readDefinition({ version: 1, name: 'a', tasks: [{ name: 'shop', replay: { file: 'a.ndjson' } }] }),
    );
    const target: Offered = {
      engine: 'opensearch',
      version: '3.6.0',
      serverless: false,
      plugins: new Set<string>(),
    };
    const connection = {
      request: () => {
        throw new Error('nothing is sent');
      },
    };
    return checkReplays({
      plan: { cells },
      folder,
      connection,
      targetOf: () => (isKnown ? target : undefined),
    });
  };

  test('a note counts the searches that will fail', async () => {
    await expect(check([MATCH, KQL, MATCH])).resolves.toEqual([
      expect.stringMatching(
        /a\.ndjson: of its first 3 lines, 1 search will fail: OpenSearch 3\.6\.0 offers no query kql \(line 2; use/,
      ),
    ]);
    await expect(check([MATCH, MATCH])).resolves.toEqual([]);
  });

  test('a log without any search that the target can answer starts no run', async () => {
    await expect(check([KQL, KQL])).rejects.toMatchObject({ code: 'target.missing-feature' });
    await expect(check([KQL, KQL])).rejects.toThrow(
      /the target can answer none of its first 2 searches: 2 searches will fail: OpenSearch 3\.6\.0 offers no query kql/,
    );
  });

  test('nothing is compared while the features of the target are unknown', async () => {
    await expect(check([KQL], false)).resolves.toEqual([]);
  });
});
