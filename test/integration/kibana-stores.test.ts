/** The store of targets of the Kibana host against the contract that every host's keeps; Kibana itself is a fake. */
import { createSecrets } from '../../server/kibana/secrets';
import type { ElasticsearchConfig } from '../../server/kibana/sdk';
import { createTargetStore, type KibanaTargetStore } from '../../server/kibana/targets';
import { fakeSavedObjects, type FakeSavedObjects } from '../../server/kibana/testing/fake-saved-objects';
import { Connection } from '../../server/target-cluster/connection';
import { describeTargetStore } from '../contract/target-store';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
let client: Connection;

beforeAll(() => (client = new Connection({ hosts: [url()] })));
afterAll(() => client.close());

function targets({ client: objects, encrypted }: FakeSavedObjects): KibanaTargetStore {
  const local: ElasticsearchConfig = { hosts: [url()], ssl: { verificationMode: 'full' } };
  return createTargetStore({
    objects,
    secrets: createSecrets(objects, encrypted, undefined),
    client,
    local,
    allowedHosts: ['127.0.0.1', 'h', 'a*'],
  });
}

describe('the store of targets in Kibana', () => {
  describeTargetStore(() => {
    const kibana = fakeSavedObjects();
    return {
      store: targets(kibana),
      another: targets(kibana),
      kept: () => Promise.resolve(kibana.kept()),
      forbiddenHost: 'http://forbidden.example:9200',
    };
  });

  test('a secret goes with its target', async () => {
    const kibana = fakeSavedObjects();
    const store = targets(kibana);
    const credentials = { kind: 'api-key', key: 'abc' } as const;
    const settings = { title: 'A', hosts: ['http://127.0.0.1:9'], ca: null, verifyCertificates: true };
    const { version } = await store.create({ id: 'a', ...settings, credentials });
    const connection = await store.connect('a', undefined);
    expect(connection.headers['authorization']).toBe('ApiKey abc');
    await connection.close();
    await store.save('a', { ...settings, credentials: { kind: 'none' }, version: version! });
    expect(kibana.kept()).not.toContain('dyno-secret');
    await store.create({ id: 'b', ...settings, credentials });
    await store.delete('b');
    expect(kibana.kept()).not.toContain('dyno-secret');
  });

  test('Kibana’s own cluster is reached as whom the run acts', async () => {
    const connection = await targets(fakeSavedObjects()).connect('local', 'ApiKey of-the-run');
    expect(connection.headers['authorization']).toBe('ApiKey of-the-run');
    await connection.close();
  });
});
