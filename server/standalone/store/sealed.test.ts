import { randomBytes } from 'node:crypto';
import { seal, unseal } from './sealed';
import type { SecretKey } from './secret-key';

const key = (id: string): SecretKey => ({ id, bytes: randomBytes(32), source: 'a test' });
const first = key('first');

test('a secret comes back for its owner, and never looks the same twice', () => {
  const sealed = seal('geheim ü', 'target a', first);
  expect(unseal(sealed, 'target a', first)).toBe('geheim ü');
  expect(seal('geheim ü', 'target a', first).data).not.toBe(sealed.data);
  expect(JSON.stringify(sealed)).not.toContain('geheim');
  expect(unseal(seal('', 'target a', first), 'target a', first)).toBe('');
});

test('another key is named as the reason, without saying anything of the keys', () => {
  const sealed = seal('geheim', 'target a', first);
  const other = key('other');
  expect(() => unseal(sealed, 'target a', other)).toThrow(
    'the credentials of target a were encrypted with another key (first) than that of a test (other)',
  );
  expect(() => unseal(sealed, 'target a', { ...other, id: 'first' })).toThrow('cannot be decrypted');
});

test('what was moved to another owner or changed is not opened', () => {
  const sealed = seal('geheim', 'target a', first);
  const flipped = Buffer.from(sealed.data, 'base64');
  flipped[0]! ^= 1;
  for (const [changed, owner] of [
    [sealed, 'target b'],
    [{ ...sealed, data: flipped.toString('base64') }, 'target a'],
    [{ ...sealed, iv: randomBytes(12).toString('base64') }, 'target a'],
    [{ ...sealed, tag: sealed.tag.slice(0, 8) }, 'target a'],
    [{ ...sealed, data: '' }, 'target a'],
  ] as const) {
    expect(() => unseal(changed, owner, first)).toThrow(/of target [ab] cannot be decrypted/);
  }
});
