import { DynoError } from '../../common/problem';
import { parseHosts, shownHosts, takeApart } from './hosts';

test('hosts are separated by commas or white space, and http and port 9200 are the defaults', () => {
  expect(parseHosts('es1, https://es2:9243/path\nes3:80 [::1]:9201 localhost:9200')).toEqual([
    'http://es1:9200/',
    'https://es2:9243/path',
    'http://es3/',
    'http://[::1]:9201/',
    'http://localhost:9200/',
  ]);
});

const cloudId = (text: string): string => `my-deployment:${Buffer.from(text).toString('base64')}`;

test('a cloud id becomes the URL of its Elasticsearch', () => {
  const hosts = (text: string): string[] => parseHosts(cloudId(text));
  expect(hosts('us-east-1.aws.found.io$0123abc$4567def')).toEqual([
    'https://0123abc.us-east-1.aws.found.io/',
  ]);
  expect(hosts('europe-west1.gcp.cloud.es.io:9243$0123abc$')).toEqual([
    'https://0123abc.europe-west1.gcp.cloud.es.io:9243/',
  ]);
  expect(hosts('cloud.es.io:9243$0123abc:9244$4567def')).toEqual(['https://0123abc.cloud.es.io:9244/']);
  for (const wrong of ['cloud.es.io without Elasticsearch', 'cloud.es.io:9243$', 'a b$c.example.org/x$']) {
    expect(() => hosts(wrong)).toThrow('looks like a cloud id, but contains no Elasticsearch host');
  }
});

test('a cloud id is parsed as by Beats: with or without a label, colons and blanks in the label, and ports', () => {
  const encoded = Buffer.from('us-east-1.aws.found.io$0123abc$4567def').toString('base64');
  const host = 'https://0123abc.us-east-1.aws.found.io/';
  for (const id of [encoded, `:${encoded}`, `a:b:${encoded}`, `My first deployment:${encoded}`])
    expect(parseHosts(id)).toEqual([host]);
  expect(parseHosts(`My first deployment:${encoded}, es2`)).toEqual([host, 'http://es2:9200/']);
  expect(parseHosts(`es1:9200 mine:${encoded}`)).toEqual(['http://es1:9200/', host]);
});

test('all bad hosts are reported at once, without their credentials', () => {
  const parse = (): unknown => parseHosts('ftp://u:secret@es1 http://es2:99999 https://es3/?q=1 good:9200');
  expect(parse).toThrow(DynoError);
  expect(parse).toThrow('hosts[0]: the scheme must be http or https (found ftp://[removed]@es1;');
  expect(parse).toThrow('hosts[1]: not a URL (found http://es2:99999;');
  expect(parse).toThrow('hosts[2]: the address of a host must not contain a query or fragment');
  expect(parse).not.toThrow('secret');
  expect(() => parseHosts(' , ')).toThrow('no host is given');
});

test.each([
  'https://elastic:pa,ss@es1',
  'https://elastic:12,34@es1',
  'elastic:pa ss@es1',
  'https://es0, https://elastic:1 2@es1',
])('a comma or blank in the password of %s is explained, and no half of it is shown', (text) => {
  const parse = (): unknown => parseHosts(text);
  expect(parse).toThrow('a comma as %2C, a blank as %20');
  expect(parse).toThrow('[removed]@es1');
  for (const half of ['elastic', 'pa,', 'ss@', ':12', '34@', ':1 ', '2@']) expect(parse).not.toThrow(half);
});

test('for an IPv6 address without brackets the error shows the form with brackets', () => {
  expect(() => parseHosts('::1')).toThrow('an IPv6 address needs brackets: [::1], or [::1]:9200 with a port');
});

test('credentials are removed from the URLs and decoded', () => {
  expect(takeApart(['https://elastic:p%40ss%2C@es1:9243/es/', 'es2'])).toEqual({
    addresses: [
      { origin: 'https://es1:9243', prefix: '/es', url: 'https://es1:9243/es' },
      { origin: 'http://es2:9200', prefix: '', url: 'http://es2:9200' },
    ],
    authorization: `Basic ${Buffer.from('elastic:p@ss,').toString('base64')}`,
  });
  expect(() => takeApart(['a:b@es1', 'c:d@es2'])).toThrow('different credentials');
});

test('hosts are shown without their credentials', () => {
  expect(shownHosts('https://u:p@es, https://u:p@es2:9201')).toBe('https://es,https://es2:9201');
});

test.each([
  'ApiKey VnVhQ2ZHY0JDZGJrUW0',
  'Basic ZWxhc3RpYzpIdW50ZXIy=',
  'Bearer abcdef',
  'ZWxhc3RpYzpIdW50ZXI=',
  'es1,ZWxhc3RpYzpIdW50ZXI=',
])('a credential instead of an address, %s, is refused and not shown', (text) => {
  const parse = (): unknown => parseHosts(text);
  expect(parse).toThrow('not the address of a host');
  expect(parse).toThrow('found [removed]');
  for (const secret of ['VnVh', 'ZWxh', 'abcdef']) expect(parse).not.toThrow(secret);
});
