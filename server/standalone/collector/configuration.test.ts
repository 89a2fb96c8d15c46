import type { Engine } from '../../../common/elasticsearch/engine';
import { collectorConfiguration, collectorEnvironment } from './configuration';

const results = {
  urls: ['http://127.0.0.1:9200'],
  headers: {},
  ca: undefined as string | undefined,
  verifyCertificates: true,
};
const plan = {
  watched: ['http://127.0.0.1:9201', 'http://127.0.0.1:9202'],
  results,
  engine: 'elasticsearch' as Engine,
  folder: '/data/collector',
};

interface Output {
  'output.elasticsearch': { hosts: string[]; headers?: object; ssl?: object };
}
const outputOf = (changed: Partial<typeof results>): Output['output.elasticsearch'] =>
  (collectorConfiguration({ ...plan, results: { ...results, ...changed } }) as Output)[
    'output.elasticsearch'
  ];

describe('the configuration of the collector', () => {
  it('reads all nodes through one of them, and this machine, every second', () => {
    expect(collectorConfiguration(plan)).toMatchObject({
      'dynobeat.modules': [
        { metricsets: ['node'], period: '1s', scope: 'cluster', hosts: ['http://127.0.0.1:9201'] },
        { metricsets: ['host'], period: '1s', 'elasticsearch.hosts': plan.watched },
      ],
    });
  });

  it('writes only to its folder', () => {
    const text = JSON.stringify(collectorConfiguration(plan));
    const paths = [...text.matchAll(/"(\/[^"]*)"/g)].map(([, found]) => found);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((found) => !found!.startsWith('/data/collector'))).toEqual([]);
  });

  it('contains the default port of the scheme if a URL has no port, because Beats would use 9200', () => {
    expect(
      outputOf({ urls: ['https://results', 'http://results/behind/', 'https://results:9243'] }).hosts,
    ).toEqual(['https://results:443', 'http://results:80/behind', 'https://results:9243']);
  });

  it('uses the output of the engine that stores the results', () => {
    const ofOpenSearch = collectorConfiguration({ ...plan, engine: 'opensearch' });
    expect(ofOpenSearch).toMatchObject({ 'output.opensearch': { hosts: ['http://127.0.0.1:9200'] } });
    expect(ofOpenSearch).not.toHaveProperty(['output.elasticsearch']);
  });

  it('passes credentials only through the environment', () => {
    const headers = { authorization: 'ApiKey c2VjcmV0' };
    expect(JSON.stringify(outputOf({ headers }))).not.toContain('c2VjcmV0');
    expect(outputOf({ headers }).headers).toEqual({ Authorization: '${DYNO_COLLECTOR_AUTHORIZATION}' });
    expect(collectorEnvironment({ ...results, headers })).toMatchObject({
      DYNO_COLLECTOR_AUTHORIZATION: 'ApiKey c2VjcmV0',
    });
    expect(Object.keys(collectorEnvironment(results))).toEqual(['PATH', 'LANG']);
  });

  it('uses the TLS settings of the results cluster', () => {
    const urls = ['https://results:9200'];
    expect(outputOf({}).ssl).toBeUndefined();
    expect(outputOf({ urls }).ssl).toEqual({ verification_mode: 'full' });
    expect(outputOf({ urls, ca: 'PEM' }).ssl).toEqual({
      verification_mode: 'full',
      certificate_authorities: ['PEM'],
    });
    expect(outputOf({ urls, verifyCertificates: false }).ssl).toEqual({ verification_mode: 'none' });
  });
});
