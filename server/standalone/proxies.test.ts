import { outgoing, outgoingAddress } from './proxies';

const rules = { code: 'test.address', setting: 'SETTING', allowed: 'a URL' };

test('converts the credentials of an address to a header, decoded', () => {
  const { url, headers } = outgoingAddress('https://me:p%40ss@repository.example.org/maven', rules);
  expect(url.href).toBe('https://repository.example.org/maven');
  expect(headers).toEqual({ authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` });
});

test('refuses an invalid address or proxy without showing its password', async () => {
  const refused = (text: string): (() => unknown)[] => [
    () => outgoingAddress(text, rules),
    () => outgoing({}, { HTTPS_PROXY: text }),
  ];
  for (const text of ['http://me:Hun/ter2@proxy:8080', 'http:/me:Hunter2@proxy', 'ftp://me:Hunter2@proxy'])
    for (const read of refused(text)) {
      expect(read).toThrow('[removed]@proxy');
      expect(read).not.toThrow('ter2');
    }
  // A single % is valid.
  await outgoing({}, { https_proxy: 'http://me:100%@proxy:8080' }).close();
});
