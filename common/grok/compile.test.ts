import { compileGrok, neededDefinitions } from './compile';
import { GROK_LIBRARY, LIBRARY_NAMES } from './library';

/** Returns the fields of a line by name; null if the pattern does not match. */
function parse(
  pattern: string,
  line: string,
  own: Record<string, string> = {},
): Record<string, string> | null {
  const { compiled, problems } = compileGrok(pattern, own);
  expect(problems).toEqual([]);
  const found = compiled!.regex.exec(line);
  if (found === null) return null;
  return Object.fromEntries(
    compiled!.fields.flatMap(({ name, groups }) => {
      const value = groups.map((group) => found[group]).find((text) => text !== undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const APACHE =
  '203.0.113.9 - frank [20/Nov/2026:15:40:00 +0000] "GET /blog/a-b?q=1 HTTP/1.1" 200 5043 "https://www.example.com/" "Mozilla/5.0 (X11; \\"odd\\") Gecko"';

test('a line of a combined access log gives the same fields as grok', () => {
  expect(parse('%{COMBINEDAPACHELOG}', APACHE)).toEqual({
    clientip: '203.0.113.9',
    ident: '-',
    auth: 'frank',
    timestamp: '20/Nov/2026:15:40:00 +0000',
    verb: 'GET',
    request: '/blog/a-b?q=1',
    httpversion: '1.1',
    response: '200',
    bytes: '5043',
    referrer: 'https://www.example.com/',
    agent: 'Mozilla/5.0 (X11; \\"odd\\") Gecko',
  });
});

test.each<[string, string, Record<string, string> | null]>([
  ['%{COMMONAPACHELOG}', '::1 - - [01/Jan/2026:00:00:00 +0100] "-" 408 -', { clientip: '::1', rawrequest: '-', response: '408' }],
  ['%{IPORHOST:host}', 'from web-1.example.com now', { host: 'from' }],
  ['^%{IPV6:ip}$', '2001:db8::ff00:42:8329', { ip: '2001:db8::ff00:42:8329' }],
  ['^%{IPV6:ip}$', '12:30:45', null],
  ['^%{IPV4:ip}$', '256.1.1.1', null],
  ['%{LOGLEVEL:level}: %{GREEDYDATA:text}', 'ERROR: disk is full', { level: 'ERROR', text: 'disk is full' }],
  ['^%{TIMESTAMP_ISO8601:at} %{UUID:id}$', '2026-11-20T15:40:00.123Z 123e4567-e89b-12d3-a456-426614174000', { at: '2026-11-20T15:40:00.123Z', id: '123e4567-e89b-12d3-a456-426614174000' }],
  ['^%{NUMBER:n} %{BASE16NUM:hex} %{QS:quoted}$', '-1.5 0xfF "a \\"b\\""', { n: '-1.5', hex: '0xfF', quoted: '"a \\"b\\""' }],
  ['^%{URI:uri}$', 'https://user:pw@example.com:8080/a/b?c=d&e', { uri: 'https://user:pw@example.com:8080/a/b?c=d&e' }],
  ['^%{PATH:path}$', 'C:\\Windows\\x.log', { path: 'C:\\Windows\\x.log' }],
  ['^%{PATH:path}$', '/var/log/syslog', { path: '/var/log/syslog' }],
  ['^%{EMAILADDRESS:mail}$', 'a.b+c@example.org', { mail: 'a.b+c@example.org' }],
  ['^(?<code>[A-Z]+)-%{INT:[http][code]}$', 'ABC-12', { code: 'ABC', 'http.code': '12' }],
  ['^(?:%{IPV4:who}|%{WORD:who})$', 'somebody', { who: 'somebody' }],
]) // oxfmt-ignore
('%s of %s', (pattern, line, fields) => {
  expect({ found: parse(pattern, line) }).toMatchObject({ found: fields });
});

test('a pattern matches from the beginning of a line, with any text after it', () => {
  expect(parse('%{INT:n}', '17 of 20')).toEqual({ n: '17' });
  expect(parse('%{INT:n}|%{WORD:w}', '- 17')).toBeNull();
  expect(parse('%{DATA}%{INT:n}', 'of 17')).toEqual({ n: '17' });
});

describe('a line of an access log', () => {
  const line = (from: string, request = 'GET /a HTTP/1.1', agent = 'curl/8.5', rest = ''): string =>
    `${from} [25/Oct/2026:03:00:05 +0100] "${request}" 200 10 "-" "${agent}"${rest}`;

  test.each<[string, string, Record<string, string>]>([
    ['a user with a backslash', '192.0.2.10 - CORP\\jroe', { clientip: '192.0.2.10', ident: '-', auth: 'CORP\\jroe' }],
    ['a quoted user with a blank', '192.0.2.10 - "jane roe"', { clientip: '192.0.2.10', auth: 'jane roe' }],
    ['an empty quoted user', '192.0.2.10 - ""', { clientip: '192.0.2.10', auth: '' }],
    ['an address of mail', '192.0.2.10 - jane@example.org', { auth: 'jane@example.org' }],
    ['the name of a container', 'web_1 - -', { clientip: 'web_1', auth: '-' }],
    ['a host name', 'web-1.example.org - -', { clientip: 'web-1.example.org' }],
    ['several addresses, the first of which is the client', '192.0.2.10, 198.51.100.4,203.0.113.7 - -', { clientip: '192.0.2.10' }],
    ['several addresses of IPv6', '2001:db8::1, 198.51.100.4 - -', { clientip: '2001:db8::1' }],
    ['IPv6', '2001:db8::2:1 - -', { clientip: '2001:db8::2:1' }],
    ['IPv4 in IPv6', '::ffff:192.0.2.7 - -', { clientip: '::ffff:192.0.2.7' }],
    ['a virtual host before the client', 'shop.example.org:443 192.0.2.10 - -', { clientip: '192.0.2.10', ident: '-', auth: '-' }],
    ['a virtual host before a client of IPv6', 'shop.example.org:443 2001:db8::1 - jane', { clientip: '2001:db8::1', auth: 'jane' }],
    ['a port behind the client', '192.0.2.10:51234 - -', { clientip: '192.0.2.10', ident: '-', auth: '-' }],
  ]) // oxfmt-ignore
  ('may have %s', (_what, from, fields) => {
    expect(parse('%{COMBINEDAPACHELOG}', line(from))).toMatchObject(fields);
  });

  test('without a client has no client', () => {
    const found = parse('%{COMBINEDAPACHELOG}', line('- - -'));
    expect(found).toMatchObject({ ident: '-', auth: '-', verb: 'GET' });
    expect(found).not.toHaveProperty('clientip');
  });

  test.each<[string, string, Record<string, string>]>([
    ['blanks in the path', line('::1 - -', 'GET /a b c HTTP/1.1'), { rawrequest: 'GET /a b c HTTP/1.1' }],
    ['a request of another protocol', line('::1 - -', '\\x16\\x03'), { rawrequest: '\\x16\\x03' }],
    ['escaped quotes', line('::1 - -', 'GET / HTTP/2.0', 'a (\\"b\\")'), { agent: 'a (\\"b\\")' }],
    ['quotes that are not escaped', line('::1 - -', 'GET / HTTP/2.0', 'a "bare" b'), { agent: 'a "bare" b' }],
    ['more behind it', line('::1 - -', 'GET / HTTP/2.0', 'curl', ' 0/14 "192.0.2.1"'), { agent: 'curl' }],
  ]) // oxfmt-ignore
  ('may have %s', (_what, text, fields) => {
    expect(parse('%{COMBINEDAPACHELOG}', text)).toMatchObject(fields);
  });

  test.each(['x 192.0.2.10 - -', '192.0.2.10 -', 'msg=192.0.2.10 - - - -', '[x] 192.0.2.10 - -'])(
    'that begins with %s does not match',
    (from) => {
      expect(parse('%{COMBINEDAPACHELOG}', line(from))).toBeNull();
    },
  );

  test('is rejected in a time that grows only with its length', () => {
    const hostile = [
      '1.2.3.4, '.repeat(50_000),
      'a:1 '.repeat(50_000),
      `${'x'.repeat(200_000)}`,
      `::1 - "${'\\"'.repeat(100_000)}`,
    ];
    const begun = performance.now();
    for (const one of hostile) expect(parse('%{COMBINEDAPACHELOG}', one)).toBeNull();
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});

test('a line of a system log', () => {
  const line = 'Nov  2 15:40:00 web-1 sshd[1234]: Accepted publickey';
  expect(parse('%{SYSLOGLINE}', line)).toEqual({
    timestamp: 'Nov  2 15:40:00',
    logsource: 'web-1',
    program: 'sshd',
    pid: '1234',
    text: 'Accepted publickey',
  });
});

test('types and own patterns that contain each other', () => {
  const own = { ORDER: 'order %{ORDERID:order:long}', ORDERID: '[0-9]+' };
  expect(parse('%{ORDER}', 'order 17', own)).toEqual({ order: '17' });
  expect(compileGrok('%{ORDER}', own).compiled!.fields).toEqual([
    { name: 'order', type: 'long', groups: [1] },
  ]);
});

test.each<[string, Record<string, string>, string, string | undefined]>([
  ['%{NOPE:x}', {}, 'there is no such pattern', 'NOPE'],
  ['%{A:x}', { A: 'a%{B}', B: 'b%{A}' }, 'the pattern contains itself', 'A > B > A'],
  ['%{INT:x:number}', {}, 'no such type', 'number'],
  ['%{INT:x:int} %{WORD:x}', {}, 'the field x has two types', 'int, string'],
  ['%{INT:message}', {}, 'this field already contains the line or its time', 'message'],
  ['%{INT}', {}, 'has no field: nothing would be parsed from a line', undefined],
  ['%{INT:x', {}, 'not a reference to a pattern', '%{INT:x'],
  ['%{INT:x}(', {}, 'is not a regular expression: Unterminated group', undefined],
  ['(?>a)%{INT:x}', {}, 'atomic groups are unknown to JavaScript', '(?>'],
  ['(?i)%{INT:x}', {}, 'this kind of group is unknown to JavaScript', '(?i'],
  ['a++%{INT:x}', {}, 'possessive repetition is unknown to JavaScript', '++'],
  ['\\A%{INT:x}', {}, 'this escape is unknown to JavaScript', '\\A'],
  ['(a)\\1%{INT:x}', {}, 'numbered back-references are not allowed', '\\1'],
  ['[[:alpha:]]%{INT:x}', {}, 'named classes are unknown to JavaScript', undefined],
  ['[a%{INT:x}', {}, 'a class is not closed', undefined],
  ['%{INT:x}\\', {}, 'ends with a backslash', '\\'],
])('%s %j: %s', (pattern, own, message, found) => {
  const { compiled, problems } = compileGrok(pattern, own);
  expect(compiled).toBeNull();
  expect(problems).toContainEqual(
    expect.objectContaining(found === undefined ? { message } : { message, found }),
  );
});

test('nested names that expand to too much are rejected', () => {
  const own: Record<string, string> = { A0: 'aaaaaaaaaa' };
  for (let i = 1; i < 20; i += 1) own[`A${i}`] = `%{A${i - 1}}`.repeat(10);
  const { problems } = compileGrok('%{A19:x}', own);
  expect(problems.map(({ message }) => message)).toEqual(['the expanded expression is too long']);
});

test.each(LIBRARY_NAMES)('%s of the library compiles', (name) => {
  expect(compileGrok(`%{${name}:whole}`).problems).toEqual([]);
});

test('only the definitions that the patterns need are returned', () => {
  expect(
    Object.keys(neededDefinitions(['%{HOSTPORT:at} %{MINE}'], { MINE: 'x', OTHER: 'y' })).sort(),
  ).toEqual(['HOSTNAME', 'HOSTPORT', 'IP', 'IPORHOST', 'IPV4', 'IPV6', 'MINE', 'POSINT']);
  expect(neededDefinitions(['%{INT:x}'], { INT: 'mine' })).toEqual({ INT: 'mine' });
  expect(neededDefinitions(['%{INT:x}'])).toEqual({ INT: GROK_LIBRARY['INT'] });
});
