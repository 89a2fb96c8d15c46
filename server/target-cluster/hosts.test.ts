import { DynoError } from '../../common/problem';
import { parseHosts, takeApart, withoutCredentials } from './hosts';

test('hosts are separated by commas or white space, http and 9200 being understood', () => {
  expect(parseHosts('es1, https://es2:9243/path\nes3:80 [::1]:9201 localhost:9200')).toEqual([
    'http://es1:9200/',
    'https://es2:9243/path',
    'http://es3/',
    'http://[::1]:9201/',
    'http://localhost:9200/',
  ]);
});

const cloudId = (text: string): string => `my-deployment:${Buffer.from(text).toString('base64')}`;

test('a cloud id is the Elasticsearch that it names', () => {
  const hosts = (text: string): string[] => parseHosts(cloudId(text));
  expect(hosts('us-east-1.aws.found.io$0123abc$4567def')).toEqual([
    'https://0123abc.us-east-1.aws.found.io/',
  ]);
  expect(hosts('europe-west1.gcp.cloud.es.io:9243$0123abc$')).toEqual([
    'https://0123abc.europe-west1.gcp.cloud.es.io:9243/',
  ]);
  expect(hosts('cloud.es.io:9243$0123abc:9244$4567def')).toEqual(['https://0123abc.cloud.es.io:9244/']);
  for (const wrong of ['cloud.es.io without Elasticsearch', 'cloud.es.io:9243$', 'a b$c.example.org/x$']) {
    expect(() => hosts(wrong)).toThrow('looks like a cloud id, and names no Elasticsearch');
  }
});

test('all bad hosts are told at once, without their credentials', () => {
  const parse = (): unknown => parseHosts('ftp://u:secret@es1 http://es2:99999 https://es3/?q=1 good:9200');
  expect(parse).toThrow(DynoError);
  expect(parse).toThrow('hosts[0]: only http and https are spoken (found ftp://es1;');
  expect(parse).toThrow('hosts[1]: not a URL (found http://es2:99999;');
  expect(parse).toThrow('hosts[2]: a host has neither a query nor a fragment');
  expect(parse).not.toThrow('secret');
  expect(() => parseHosts(' , ')).toThrow('no host is given');
});

test('credentials are taken out of the URLs and decoded', () => {
  expect(takeApart(['https://elastic:p%40ss%2C@es1:9243/es/', 'es2'])).toEqual({
    addresses: [
      { origin: 'https://es1:9243', prefix: '/es', url: 'https://es1:9243/es' },
      { origin: 'http://es2:9200', prefix: '', url: 'http://es2:9200' },
    ],
    authorization: `Basic ${Buffer.from('elastic:p@ss,').toString('base64')}`,
  });
  expect(() => takeApart(['a:b@es1', 'c:d@es2'])).toThrow('different credentials');
});

test('what stands before an @ is never shown', () => {
  expect(withoutCredentials('https://u:p@es')).toBe('https://es');
  expect(withoutCredentials('u:p@es:9200')).toBe('es:9200');
});
