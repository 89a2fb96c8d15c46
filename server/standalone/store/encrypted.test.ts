import { randomBytes } from 'node:crypto';
import { encrypt, decrypt } from './encrypted';
import type { SecretKey } from './secret-key';

const key = (id: string): SecretKey => ({ id, bytes: randomBytes(32), source: 'a test' });
const first = key('first');

test('decrypts a secret for its owner, and encrypts it differently each time', () => {
  const encrypted = encrypt('geheim ü', 'target a', first);
  expect(decrypt(encrypted, 'target a', first)).toBe('geheim ü');
  expect(encrypt('geheim ü', 'target a', first).data).not.toBe(encrypted.data);
  expect(JSON.stringify(encrypted)).not.toContain('geheim');
  expect(decrypt(encrypt('', 'target a', first), 'target a', first)).toBe('');
});

test('reports a different key without revealing the keys', () => {
  const encrypted = encrypt('geheim', 'target a', first);
  const other = key('other');
  expect(() => decrypt(encrypted, 'target a', other)).toThrow(
    'the credentials of target a were encrypted with another key (first) than that of a test (other)',
  );
  expect(() => decrypt(encrypted, 'target a', { ...other, id: 'first' })).toThrow('cannot be decrypted');
});

test('does not decrypt a secret that was changed or moved to another owner', () => {
  const encrypted = encrypt('geheim', 'target a', first);
  const flipped = Buffer.from(encrypted.data, 'base64');
  flipped[0]! ^= 1;
  for (const [changed, owner] of [
    [encrypted, 'target b'],
    [{ ...encrypted, data: flipped.toString('base64') }, 'target a'],
    [{ ...encrypted, iv: randomBytes(12).toString('base64') }, 'target a'],
    [{ ...encrypted, tag: encrypted.tag.slice(0, 8) }, 'target a'],
    [{ ...encrypted, data: '' }, 'target a'],
  ] as const) {
    expect(() => decrypt(changed, owner, first)).toThrow(/of target [ab] cannot be decrypted/);
  }
});
