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
