import type { IncomingHttpHeaders } from 'node:http';
import { checkRequest, isLoopback, type AccessRules } from './access';

const open: AccessRules = { password: undefined, names: ['bench.example'] };
const closed: AccessRules = { password: 'correct horse', names: [] };
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

/** Returns the reason for refusing a request, or '' if it is allowed. */
function refusal(method: string, headers: IncomingHttpHeaders, access = open): string {
  try {
    checkRequest(method, headers, access);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(['localhost', 'LOCALHOST:5605', '127.0.0.1:5605', '127.8.9.1', '[::1]:5605', 'bench.example:1'])(
  'a request for %s is for this server',
  (host) => expect(refusal('GET', { host })).toBe(''),
);

test.each([
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example:5605',
  '10.0.0.1',
  'bench.example.org',
])('a page that had its name %s lead here gets nothing (DNS rebinding)', (host) =>
  expect(refusal('GET', { host })).toContain('is not known under the requested name'),
);

test.each([undefined, '', 'a b', 'user@localhost', 'localhost:5605/x'])('%p is not a host', (host) =>
  expect(refusal('GET', { host })).toBe('the Host header contains no valid host'),
);

describe('requests that change something', () => {
  const host = 'localhost:5605';
  const own = { host, 'x-dyno-request': '1' };

  test('are allowed with the header, which no HTML form can send', () => {
    expect(refusal('POST', own)).toBe('');
    expect(refusal('POST', { ...own, origin: 'http://localhost:5605' })).toBe('');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'QUERY'])('are refused without the header: %s', (method) =>
    expect(refusal(method, { host, origin: 'http://localhost:5605' })).toContain('x-dyno-request is missing'),
  );

  test.each([
    'null',
    'http://evil.example',
    'http://localhost:5606',
    'http://localhost',
    'http://localhost.evil.example:5605',
    'nonsense',
  ])('is refused from a page of %s', (origin) =>
    expect(refusal('POST', { ...own, origin })).toContain('a page of another site'),
  );

  test('may come through a proxy that terminates TLS', () =>
    expect(
      refusal('POST', { host: 'bench.example', 'x-dyno-request': '1', origin: 'https://bench.example' }),
    ).toBe(''));
});

describe('with a password', () => {
  const host = 'any.example';

  test.each([
    basic('anybody:correct horse'),
    basic(':correct horse'),
    'bearer correct horse'.replace(' h', '_h'),
  ])('header %#', (authorization) =>
    expect(
      refusal(
        'GET',
        { host, authorization },
        {
          ...closed,
          password: authorization.startsWith('bearer') ? 'correct_horse' : 'correct horse',
        },
      ),
    ).toBe(''),
  );

  test.each([
    undefined,
    '',
    'Basic',
    basic('correct horse'),
    basic('correct horse:'),
    basic('u:correct horse '),
    'Bearer correct',
    'Digest correct horse',
  ])('%p is not let in', (authorization) =>
    expect(refusal('GET', { host, authorization }, closed)).toContain('a password is required'),
  );

  test('forged requests are still refused, because browsers send the password with them', () =>
    expect(refusal('POST', { host, authorization: basic('u:correct horse') }, closed)).toContain(
      'x-dyno-request is missing',
    ));
});

test('only addresses that other machines cannot reach are loopback', () => {
  expect(['127.0.0.1', '127.1.2.3', '::1', 'localhost'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example', ''].some(isLoopback)).toBe(false);
});
