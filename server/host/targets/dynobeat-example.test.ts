import { parse } from 'yaml';
import { credentialsIn, dynobeatExample, type NamedCluster } from './dynobeat-example';

const plain: NamedCluster = {
  hosts: ['http://es1:9200', 'http://es2:9200'],
  credentials: { kind: 'none', username: null },
  ca: null,
  verifyCertificates: true,
};

test('one node is configured for all nodes, every machine for its own', () => {
  expect(parse(dynobeatExample(plain, { ...plain, hosts: ['http://results:9200'] }))).toEqual({
    'dynobeat.modules': [
      { module: 'dyno', metricsets: ['node'], period: '1s', scope: 'cluster', hosts: ['http://es1:9200'] },
      {
        module: 'dyno',
        metricsets: ['host'],
        period: '1s',
        'elasticsearch.hosts': ['http://es1:9200', 'http://es2:9200'],
      },
    ],
    'output.elasticsearch': { hosts: ['http://results:9200'] },
    'setup.template.enabled': false,
  });
});

test('results in OpenSearch have the output for OpenSearch', () => {
  const settings = parse(dynobeatExample(plain, { ...plain, engine: 'opensearch' })) as object;
  expect(settings).toHaveProperty(['output.opensearch'], { hosts: plain.hosts });
  expect(settings).not.toHaveProperty(['output.elasticsearch']);
});

test('the credentials of a connection are named without their secret', () => {
  const basic = `Basic ${Buffer.from('dyno:geheim:1').toString('base64')}`;
  expect(credentialsIn(basic)).toEqual({ kind: 'basic', username: 'dyno' });
  expect(credentialsIn('ApiKey c2VjcmV0')).toEqual({ kind: 'api-key', username: null });
  expect(credentialsIn(undefined)).toEqual({ kind: 'none', username: null });
  const text = dynobeatExample(plain, { ...plain, credentials: credentialsIn(basic), engine: 'opensearch' });
  expect(parse(text)).toMatchObject({
    'output.opensearch': { username: 'dyno', password: '${RESULTS_SECRET}' },
  });
});

test('a dollar in a name does not start a variable', () => {
  const credentials = { kind: 'basic', username: 'svc$$a${HOME}$' } as const;
  const text = dynobeatExample({ ...plain, credentials, hosts: ['http://es1:9200/$x'] }, plain);
  expect((parse(text) as { 'dynobeat.modules': object[] })['dynobeat.modules'][0]).toMatchObject({
    username: 'svc$$$$a$${HOME}$$',
    hosts: ['http://es1:9200/$$x'],
  });
});

test('secrets are references to the keystore', () => {
  const secured: NamedCluster = {
    ...plain,
    credentials: { kind: 'basic', username: 'a "user": #1' },
    ca: '-----BEGIN CERTIFICATE-----',
    verifyCertificates: false,
  };
  const { 'dynobeat.modules': modules, 'output.elasticsearch': output } = parse(
    dynobeatExample(secured, { ...plain, credentials: { kind: 'api-key', username: null } }),
  ) as Record<string, Record<string, unknown>[]>;
  expect(modules![0]).toMatchObject({
    username: 'a "user": #1',
    password: '${TARGET_SECRET}',
    'ssl.certificate_authorities': ['/etc/dynobeat/ca.pem'],
    'ssl.verification_mode': 'none',
  });
  expect(modules![1]).toMatchObject({ 'elasticsearch.password': '${TARGET_SECRET}' });
  expect(output).toMatchObject({ api_key: '${RESULTS_SECRET}' });
  const written = parse(dynobeatExample(secured, plain, { TARGET_SECRET: 'p"$a: #1' })) as Record<
    string,
    Record<string, unknown>[]
  >;
  expect(written['dynobeat.modules']![0]).toMatchObject({ password: 'p"$$a: #1' });
});
