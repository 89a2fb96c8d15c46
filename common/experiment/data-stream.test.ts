import { withDimensions } from './data-stream';
import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';
import { problemsOf } from './testing/problems';

const definition = (more: object): object => ({
  version: 1,
  name: 'streams',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' } } }],
  ...more,
});

/** Returns the path of each problem in a definition, with the allowed values as the problem describes them. */
const pathsOf = (more: object): [string, string | undefined][] =>
  problemsOf(definition(more)).map(({ path, allowed }) => [path, allowed]);

it('has rollovers and a lifecycle, which an index does not have', () => {
  const more = { rollover: { documents: 1000, size: '50mb' }, lifecycle: { data_retention: '7d' } };
  expect(pathsOf({ index: { as: 'data-stream', ...more } })).toEqual([]);
  expect(pathsOf({ index: more })).toEqual([
    ['index.rollover', 'together with as: data-stream'],
    ['index.lifecycle', 'together with as: data-stream'],
  ]);
  expect(pathsOf({ index: { as: 'data-stream', rollover: {} } })).toEqual([
    ['index.rollover', 'documents: a number, or size: such as 50mb, or both'],
  ]);
  expect(pathsOf({ index: { as: 'stream' } })).toEqual([['index.as', 'index, data-stream']]);
});

it('needs documents with their own @timestamp', () => {
  const tasks = [{ name: 'ingest', ingest: { source: { generator: 'storefront' } } }];
  const [[path, allowed]] = pathsOf({ index: { as: 'data-stream' }, tasks }) as [[string, string]];
  expect(path).toBe('tasks[0].ingest.source.generator');
  expect(allowed).toMatch(/^systembase, .*apache-logs/);
  expect(allowed).not.toContain('storefront');
  const preload = { documents: 10, reuse: 'copy' };
  expect(pathsOf({ index: { as: 'data-stream' }, preload })).toEqual([['preload.reuse', 'never']]);
});

it('is not created next to existing data', () => {
  const index = { existing: 'products', 'allow-writes': true, as: 'data-stream', dimensions: ['a'] };
  expect(pathsOf({ index }).map(([path]) => path)).toEqual(['index.as', 'index.dimensions']);
});

describe('dimensions', () => {
  const series = { settings: { mode: 'time_series' } };

  it('must be fields of the mapping of a time series', () => {
    expect(pathsOf({ index: { dimensions: ['clientip'] } })).toEqual([
      ['index.dimensions', 'together with index.settings.mode: time_series'],
    ]);
    const [[path, allowed]] = pathsOf({ index: { ...series, dimensions: ['clientip', 'client'] } }) as [
      [string, string],
    ];
    expect(path).toBe('index.dimensions[1]');
    expect(allowed).toMatch(/clientip.*verb/);
  });

  it('are part of the mapping that is sent, and of the routing unless another one is set', () => {
    const indexOf = (index: object) =>
      resolveCells(readDefinition(definition({ index })))[0]!.definition.index;
    const own = indexOf({ ...series, dimensions: ['clientip'] });
    expect(own.settings).toEqual({ mode: 'time_series', routing_path: ['clientip'] });
    expect(own.mapping).toMatchObject({
      properties: { clientip: { type: 'ip', time_series_dimension: true } },
    });
    const set = indexOf({
      settings: { mode: 'time_series', routing_path: ['verb'] },
      dimensions: ['clientip'],
    });
    expect(set.settings).toEqual({ mode: 'time_series', routing_path: ['verb'] });
  });

  it('may be inner fields', () => {
    const mapping = { dynamic: false, properties: { host: { properties: { name: { type: 'keyword' } } } } };
    expect(withDimensions(mapping, ['host.name'])).toEqual({
      dynamic: false,
      properties: { host: { properties: { name: { type: 'keyword', time_series_dimension: true } } } },
    });
  });
});
