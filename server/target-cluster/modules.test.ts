import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { refusal } from './answer';
import { createIndex } from './index-lifecycle';
import { moduleWarnings, readModules } from './modules';

const target = (status: number, ...nodes: string[][]): ElasticsearchClient =>
  ({
    request: () =>
      Promise.resolve({
        status,
        body: {
          nodes: Object.fromEntries(
            nodes.map((names, at) => [`n${at}`, { modules: names.map((name) => ({ name })) }]),
          ),
        },
      }),
  }) as unknown as ElasticsearchClient;

const DEFAULT = ['analysis-common', 'mapper-extras', 'lang-painless', 'ingest-common', 'x-pack-esql'];
const ESQL = [{ aspect: 'request', name: 'esql' }] as const;

test('the modules of a cluster are those that all its nodes have', async () => {
  expect(await readModules(target(200, DEFAULT, DEFAULT.slice(1)))).toEqual(new Set(DEFAULT.slice(1)));
});

test('a cluster that does not report its modules causes no warning', async () => {
  for (const silent of [target(403), target(200), target(200, [])]) {
    expect(await readModules(silent)).toBeNull();
    expect(moduleWarnings(await readModules(silent), ESQL, [])).toEqual([]);
  }
});

test('before a run, a warning names each module that tasks need and a reduced distribution lacks', () => {
  expect(moduleWarnings(new Set(['x-pack-core']), ESQL, [])).toEqual([
    expect.stringMatching(
      /^The target lacks the module x-pack-esql, which provides ES\|QL .*: requests that use it will fail\. .*page Targets/,
    ),
  ]);
  expect(moduleWarnings(new Set(DEFAULT), ESQL, [])).toEqual([]);
});

test('the error of an index names the missing module', async () => {
  const reason =
    'Failed to parse mapping: The mapper type [match_only_text] declared on field [message] does not exist. Check the documentation.';
  const refusing = {
    request: () =>
      Promise.resolve({ status: 400, body: { error: { type: 'mapper_parsing_exception', reason } } }),
  } as unknown as ElasticsearchClient;
  const mark = { run: 'r', trial: 't', experiment: 'e', carrier: { host: 'h', pid: 1, instance: 'i' } };
  const made = createIndex(refusing, { index: 'a', settings: {}, mapping: {}, mark } as never);
  await expect(made).rejects.toMatchObject({
    problems: [
      { path: 'index.mapping', message: expect.stringContaining('lacks the module mapper-extras') as string },
    ],
  });
});

test('the error of a mapping names the missing module after Elasticsearch’s own reason', () => {
  const reason = 'No handler for type [scaled_float] declared on field [price]';
  const { message } = refusal(400, { error: { type: 'mapper_parsing_exception', reason } }, 'create x');
  expect(message).toMatch(/^could not create x: No handler .*\. The target lacks the module mapper-extras/);
  expect(message).toContain('--elasticsearch URL');
});
