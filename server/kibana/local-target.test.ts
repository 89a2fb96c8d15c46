import { dynobeatExample } from '../host/targets/dynobeat-example';
import { localForCollector } from './local-target';
import type { ElasticsearchConfig } from './sdk';

const config: ElasticsearchConfig = {
  hosts: ['http://kibana:geheim@10.0.0.1:9200'],
  ssl: { verificationMode: 'full' },
};

const example = (more: Partial<ElasticsearchConfig>): string => {
  const local = localForCollector({ ...config, ...more });
  return dynobeatExample(local, local);
};

test.each([{ username: 'kibana_system' }, { serviceAccountToken: 'AAEAA' }])(
  'if Kibana authenticates with %p, the collector is configured with its own key, never with Kibana’s credentials',
  (login) => {
    const text = example(login);
    expect(text).toContain("    api_key: '${TARGET_SECRET}'");
    expect(text).toContain("    elasticsearch.api_key: '${TARGET_SECRET}'");
    expect(text).toContain("  api_key: '${RESULTS_SECRET}'");
    expect(text).not.toMatch(/kibana|geheim|AAEAA/);
  },
);

test('without security it has no key', () => {
  expect(example({})).not.toContain('api_key');
});
