/** Provides a real Elasticsearch for the tests of a file. */
import { request } from 'undici';
import {
  type ElasticsearchOptions,
  type EmbeddedElasticsearch,
  startElasticsearch,
} from '../../../server/standalone/elasticsearch/start';
import { SHARED_CLUSTER } from './shared-cluster';

/** Timeout of a start, in ms. It is long enough for a busy machine. */
export const START_TIMEOUT_MS = 240_000;

type Json = Record<string, unknown>;

/**
 * Sends a request to a cluster. `body`: an object is sent as JSON, a string as NDJSON. Resolves to the parsed response, with any status.
 */
export async function ask<T = Json>(
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  body?: Json | string,
): Promise<{ status: number; body: T }> {
  const contentType = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  const answer = await request(url, {
    method,
    reset: true,
    ...(body === undefined
      ? {}
      : {
          headers: { 'content-type': contentType },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  });
  return { status: answer.statusCode, body: (await answer.body.json()) as T };
}

/** Removes everything that an earlier test file may have left in the shared cluster. */
async function sweep(url: string): Promise<void> {
  const indices = await ask<{ index: string }[]>('GET', `${url}/_cat/indices?format=json&h=index`);
  for (const { index } of indices.body) await ask('DELETE', `${url}/${index}`);
  await ask('DELETE', `${url}/_index_template/dyno*`);
  await ask('DELETE', `${url}/_component_template/dyno*`);
  await ask('PUT', `${url}/_cluster/settings`, { persistent: { '*': null }, transient: { '*': null } });
}

/**
 * Empties the cluster that several test files share, before the tests of the calling file. Returns a function that returns the URL of the
 * cluster. The function can only be called within tests.
 */
export function sharedElasticsearch(): () => string {
  const url = (): string => {
    const shared = process.env[SHARED_CLUSTER];
    if (shared === undefined) throw new Error('the shared cluster was not started: see jest.config.cjs');
    return shared;
  };
  beforeAll(() => sweep(url()), 60_000);
  return url;
}

/**
 * Starts a temporary cluster for the calling test file, with a heap of 512 MB for each node. Tests may damage the cluster. The returned
 * properties can only be read within tests, because the cluster starts before the first test.
 */
export function withElasticsearch(options: ElasticsearchOptions = {}): {
  readonly url: string;
  readonly cluster: EmbeddedElasticsearch;
} {
  let started: EmbeddedElasticsearch | undefined;
  const cluster = (): EmbeddedElasticsearch => {
    if (started === undefined) throw new Error('not started yet: read it inside a test');
    return started;
  };
  beforeAll(async () => {
    started = await startElasticsearch({ ephemeral: true, heap: '512m', ...options });
  }, START_TIMEOUT_MS);
  afterAll(() => started?.stop(), 60_000);
  return {
    get url() {
      return cluster().url;
    },
    get cluster() {
      return cluster();
    },
  };
}
