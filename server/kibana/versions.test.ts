import { apiKeysOf, dataFolderOf, elasticsearchConfig, routeGuard } from './versions';
import type { ApiKeys, CoreSetup, CoreStart, ElasticsearchConfig, PluginContext } from './sdk';

const keys = {} as ApiKeys;
const contract = { authc: { apiKeys: keys } };

test.each(['8.3.3', '8.16.0'])('Kibana %s guards a route by a tag', (version) => {
  expect(routeGuard(version, 'run')).toEqual({ tags: ['access:dyno_run'] });
});

test.each(['8.17.0', '8.19.4', '9.0.0', '9.5.3-SNAPSHOT', '10.0.0'])(
  'Kibana %s guards a route by its security',
  (version) => {
    expect(routeGuard(version, 'read')).toEqual({
      security: { authz: { requiredPrivileges: ['dyno_read'] } },
    });
  },
);

test('API keys come from core, or from the security plugin if core lacks them', () => {
  const core = {} as CoreStart;
  expect(apiKeysOf({ ...core, security: contract }, {})).toBe(keys);
  expect(apiKeysOf(core, { security: contract })).toBe(keys);
  expect(apiKeysOf(core, {})).toBeUndefined();
});

test('a Kibana that does not expose its data folder or its cluster does not fail', () => {
  const context = (legacy: unknown): PluginContext<unknown> =>
    ({ config: { legacy } }) as unknown as PluginContext<unknown>;
  expect(dataFolderOf(context({ get: () => ({ path: { data: '/data' } }) }))).toBe('/data');
  expect(dataFolderOf(context(undefined))).toBeUndefined();
  expect(
    dataFolderOf(
      context({
        get: () => {
          throw new Error('gone');
        },
      }),
    ),
  ).toBeUndefined();
  expect(elasticsearchConfig({ elasticsearch: {} } as CoreSetup)()).toBeUndefined();
  const config = { hosts: ['http://a:9200'] } as unknown as ElasticsearchConfig;
  const config$ = {
    subscribe: (next: (value: ElasticsearchConfig) => void) => {
      next(config);
      return { unsubscribe: () => undefined };
    },
  };
  expect(elasticsearchConfig({ elasticsearch: { legacy: { config$ } } } as CoreSetup)()).toBe(config);
});
