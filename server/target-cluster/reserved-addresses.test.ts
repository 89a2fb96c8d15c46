import dns from 'node:dns';
import { checkAllowedHosts, isHostAllowed } from './guard-rails';
import { takeApart } from './hosts';
import { lookupUnreserved } from './reserved-addresses';

const urlOf = (host: string): string => takeApart([`http://${host}:9200`]).addresses[0]!.url;

test.each([
  '169.254.169.254',
  '2852039166',
  '0xA9FEA9FE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[FD00:0EC2:0:0::254]',
  '100.100.100.200',
  'metadata.google.internal',
  'METADATA.google.internal.',
])('%s is no target unless it is named', (host) => {
  const url = urlOf(host);
  expect(isHostAllowed(url, undefined)).toBe(false);
  expect(isHostAllowed(url, ['*'])).toBe(false);
  expect(isHostAllowed(url, [new URL(url).hostname])).toBe(true);
  expect(() => checkAllowedHosts([url], undefined)).toThrow(/link-local or metadata address/);
});

test.each(['127.0.0.1', '10.1.2.3', '[::1]', '[fd00::1]', '192.168.1.1', '169.253.1.1', 'es1'])(
  '%s is not reserved',
  (host) => expect(isHostAllowed(urlOf(host), undefined)).toBe(true),
);

describe('a name that resolves to a reserved address', () => {
  const resolved = (addresses: dns.LookupAddress[]): void => {
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_: string, __: object, done: (...found: unknown[]) => void) =>
        done(null, addresses)) as never);
  };
  afterEach(() => jest.restoreAllMocks());
  const look = (all: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      lookupUnreserved('any.example', { all } as never, ((...found: unknown[]) => resolve(found)) as never);
    });

  test('is resolved to its other addresses only', async () => {
    const other = { address: '10.0.0.1', family: 4 };
    resolved([{ address: 'fe80::1', family: 6 }, other]);
    expect(await look(true)).toEqual([null, [other]]);
    expect(await look(false)).toEqual([null, '10.0.0.1', 4]);
  });

  test('cannot be resolved if it has no other address', async () => {
    resolved([{ address: '169.254.169.254', family: 4 }]);
    expect(String(await look(true))).toContain('resolves only to a link-local or metadata address');
  });
});
