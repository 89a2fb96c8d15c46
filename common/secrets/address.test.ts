import { HOW_TO_ENCODE, parseAddress, shownAddress, shownAddresses, splitAddresses } from './address';

/** Wrong addresses as users write them, with the part that may be shown. */
const WRONG: readonly (readonly [string, string])[] = [
  ['https://elastic:Hun/ter2@es1:9200', 'https://[removed]@es1:9200'],
  ['https://elastic:1/Hunter2@es1:9200', 'https://[removed]@es1:9200'],
  ['https://elastic:Hun?ter2@es1', 'https://[removed]@es1'],
  ['https://elastic:Hun#ter2@es1', 'https://[removed]@es1'],
  ['https://elastic:Hun\\ter2@es1', 'https://[removed]@es1'],
  ['https://elastic:1\\Hunter2@es1', 'https://[removed]@es1'],
  ['https:/elastic:Hunter2@es1', 'https://[removed]@es1'],
  ['https:elastic:Hunter2@es1', 'https://[removed]@es1'],
  ['https:///elastic:Hunter2@es1', 'https://[removed]@es1'],
  ['https//elastic:Hunter2@es1', 'https://[removed]@es1'],
  ['HTTPS:\\\\elastic:Hunter2@es1', 'HTTPS://[removed]@es1'],
  ['//elastic:Hunter2@es1', '[removed]@es1'],
  ['elastic:Hun/ter2@es1', '[removed]@es1'],
  ['elastic:Hunter2@', '[removed]'],
  ['elastic:Hunter2', '[removed]'],
  ['https://elastic:Hunter2', 'https://[removed]'],
  ['https://elastic:Hunter2/path', 'https://[removed]'],
  ['https://elastic:Hun%ter2', 'https://[removed]'],
  ['https://elastic:Hunter2@es%1', 'https://[removed]'],
  ['https://elastic:Hunter2@es1:99999', 'https://[removed]@es1:99999'],
  ['ftp://elastic:Hunter2@es1', 'ftp://[removed]@es1'],
  ['https://es1/?api_key=Hunter2', 'https://es1/?[removed]'],
  ['https://es1?api_key=Hunter2', 'https://es1?[removed]'],
  ['https://es1/x?token=Hun@ter2', 'https://[removed]'],
  ['https://es1/x#access_token=Hunter2', 'https://es1/x?[removed]'],
  ['es1:9200?apikey=Hunter2', 'es1:9200?[removed]'],
];

test.each(WRONG)('%s is rejected, and shown as %s', (given, shown) => {
  const found = parseAddress(given);
  expect(typeof found).toBe('string');
  expect(shownAddress(given)).toBe(shown);
  for (const text of [String(found), shownAddress(given)]) {
    expect(text).not.toMatch(/Hun|ter2/);
    expect(text).not.toContain('elastic');
  }
});

test.each(WRONG.filter(([given]) => /[@]|elastic:/.test(given) && !/[?#]\w+=/.test(given)))(
  'the error about %s says how to percent-encode, or what else is wrong',
  (given) => {
    const found = String(parseAddress(given));
    expect(found.includes(HOW_TO_ENCODE) || /scheme must be/.test(found)).toBe(true);
  },
);

test('valid addresses are parsed', () => {
  const read = (text: string): unknown => {
    const url = parseAddress(text);
    return typeof url === 'string'
      ? url
      : [url.origin + url.pathname, decodeURIComponent(url.username), decodeURIComponent(url.password)];
  };
  expect(read('https://elastic:p%40s%2Fs@es1:9243/es')).toEqual(['https://es1:9243/es', 'elastic', 'p@s/s']);
  expect(read('https://elastic:p@ss@es1')).toEqual(['https://es1/', 'elastic', 'p@ss']);
  expect(read('elastic:a:b@es1:9200')).toEqual(['http://es1:9200/', 'elastic', 'a:b']);
  expect(read('http://[::1]:9200')).toEqual(['http://[::1]:9200/', '', '']);
  expect(parseAddress('https://hook.example.org/a?to=me@example.org', { webhook: true })).toBeInstanceOf(URL);
});

test('an IPv6 address without brackets gets the one with brackets as advice', () => {
  for (const text of ['::1', 'http://::1', 'http://u:p@::1'])
    expect(parseAddress(text)).toContain('[::1]:9200');
  expect(parseAddress('fe80::1:2')).toContain('[fe80::1:2]');
  expect(shownAddress('::1')).toBe('::1');
});

test('a list is split at commas and spaces, but not within a possible password', () => {
  expect(splitAddresses('es1, https://u:p@es2:9200 https://u:p@es3')).toEqual([
    'es1',
    'https://u:p@es2:9200',
    'https://u:p@es3',
  ]);
  expect(splitAddresses('u:p@es1,es2')).toEqual(['u:p@es1', 'es2']);
  expect(splitAddresses('https://es0,https://elastic:12,34@es1')).toEqual([
    'https://es0',
    'https://elastic:12,34@es1',
  ]);
  expect(splitAddresses('elastic:pa ss, word@es1')).toEqual(['elastic:pa,ss,word@es1']);
});

test('the address of a webhook needs a scheme, and its path is not shown', () => {
  const webhook = { webhook: true };
  expect(parseAddress('hooks.example.org/services/T1', webhook)).toContain('https:// or http:// is missing');
  expect(shownAddress('ftp://hooks.example.org/services/T1?token=x', webhook)).toBe(
    'ftp://hooks.example.org?[removed]',
  );
});

test.each([
  ['::1:9200', '[::1]:9200,'],
  ['http://::1:9200', '[::1]:9200,'],
  ['2001:db8::5:9243', '[2001:db8::5]:9243,'],
  ['fe80::1%eth0', '[fe80::1]:9200'],
  ['http://[fe80::1%eth0]:9201', '[fe80::1]:9201'],
])('%s gets the advice %s', (given, advice) => {
  expect(parseAddress(given)).toContain(advice);
  expect(parseAddress(given)).not.toContain('percent-encoded');
});

test('an IPv6 address is shown as it was written', () => {
  expect(shownAddress('http://::1:9200')).toBe('http://::1:9200');
  expect(shownAddress('fe80::1%eth0')).toBe('fe80::1%eth0');
});

test.each([
  'ApiKey VnVhQ2ZHY0JDZGJrUW0',
  'Basic ZWxhc3RpYzpIdW50ZXIy',
  'bearer abc',
  'Authorization: ApiKey abc',
  'ZWxhc3RpYzpIdW50ZXI=',
  'VnVhQ2ZHY0JDZGJrUW0tZTVhT3g6',
  'essu_abcdef',
  'ApiKey:abc',
])('%s is not an address, and is not shown', (text) => {
  expect(shownAddresses(text)).toBe('[removed]');
});

test.each(['es_1', 'basic-node', 'Elasticsearch-Node-1:9200', 'MyVeryLongServerName01.example.org', 'es1'])(
  '%s is a host',
  (text) => {
    expect(parseAddress(text)).toBeInstanceOf(URL);
    expect(shownAddress(text)).toBe(text);
  },
);
