import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { diskUsage, indexModes } from './store';

const answering = (
  status: number,
  body: unknown,
): ElasticsearchClient & { asked: ElasticsearchRequest[] } => {
  const asked: ElasticsearchRequest[] = [];
  return {
    asked,
    request: (request) => {
      asked.push(request);
      return Promise.resolve({ status, body: body as never });
    },
  };
};

describe('the modes of an index', () => {
  const source = (mode: string): object => ({ index: { mapping: { source: { mode } } } });
  test.each([
    [
      'a setting that the licence changed',
      { settings: { index: { mode: 'logsdb', mapping: { source: { mode: 'STORED' } } } } },
      'logsdb',
      'stored',
    ],
    [
      'the default of a mode',
      { settings: { index: { mode: 'logsdb' } }, defaults: source('SYNTHETIC') },
      'logsdb',
      'synthetic',
    ],
    [
      'a mapping that version 9 passes over',
      { mappings: { _source: { mode: 'synthetic' } }, defaults: source('STORED') },
      'standard',
      'stored',
    ],
    ['a mapping of version 8.4', { mappings: { _source: { mode: 'synthetic' } } }, 'standard', 'synthetic'],
    [
      'a mapping without source',
      { mappings: { _source: { enabled: false } }, defaults: source('STORED') },
      'standard',
      'disabled',
    ],
  ])('are those that hold: %s', async (_, own, mode, source) => {
    expect(await indexModes(answering(200, { i: own }), ['i'])).toEqual({ mode, source });
  });

  it('are all listed if indices differ, and are the defaults in clusters without index modes', async () => {
    const two = { a: { settings: { index: { mode: 'logsdb' } } }, b: {} };
    expect((await indexModes(answering(200, two), ['a', 'b'])).mode).toBe('logsdb or standard');
    expect(await indexModes(answering(200, {}), ['a'])).toEqual({ mode: 'standard', source: 'stored' });
  });
});

describe('the bytes by field', () => {
  it('are summed over indices, the largest first', async () => {
    const client = answering(200, {
      _shards: {},
      a: { fields: { _source: { total_in_bytes: 5 }, 'a.b': { total_in_bytes: 30 } } },
      b: { fields: { _source: { total_in_bytes: 90 } } },
      empty: {},
    });
    expect(Object.entries((await diskUsage(client, ['a', 'b']))!)).toEqual([
      ['_source', 95],
      ['a.b', 30],
    ]);
    expect(client.asked[0]).toMatchObject({ method: 'POST', path: '/a%2Cb/_disk_usage' });
  });

  it('are unknown if the cluster does not offer them', async () => {
    expect(await diskUsage(answering(405, { error: 'no handler' }), ['a'])).toBeUndefined();
  });
});
