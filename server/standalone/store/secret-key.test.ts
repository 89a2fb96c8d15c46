import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSecretKey } from './secret-key';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-key-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hex = 'ab'.repeat(32);

test('the first start creates a key that only its owner may read; later starts use it', async () => {
  const inside = path.join(folder, 'data');
  const made = await loadSecretKey(inside, {});
  expect(made.bytes).toHaveLength(32);
  expect(statSync(path.join(inside, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(await loadSecretKey(inside, {})).toEqual(made);
});

test('servers that start together agree on one key', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => loadSecretKey(folder, {})));
  expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
});

test('a key in the environment takes precedence, as hexadecimal digits or base64, and creates no file', async () => {
  const fromHex = await loadSecretKey(folder, { DYNO_SECRET_KEY: hex });
  const base64 = Buffer.from(hex, 'hex').toString('base64');
  expect(await loadSecretKey(folder, { DYNO_SECRET_KEY: ` ${base64}\n` })).toEqual(fromHex);
  expect(() => readFileSync(path.join(folder, 'secret.key'))).toThrow('ENOENT');
});

test('the id of a key does not contain the key or a part of it', async () => {
  const { id, bytes } = await loadSecretKey(folder, { DYNO_SECRET_KEY: hex });
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(bytes.toString('hex')).not.toContain(id);
});

test('refuses an invalid key without showing it', async () => {
  const failure = loadSecretKey(folder, { DYNO_SECRET_KEY: 'correct horse' });
  await expect(failure).rejects.toThrow('DYNO_SECRET_KEY: is not a valid key (allowed: 32 bytes');
  await expect(failure).rejects.not.toThrow('horse');
  writeFileSync(path.join(folder, 'secret.key'), 'correct horse', { mode: 0o600 });
  await expect(loadSecretKey(folder, {})).rejects.toThrow('secret.key: contains no valid key');
});

test('refuses a key file that others may read', async () => {
  await loadSecretKey(folder, {});
  chmodSync(path.join(folder, 'secret.key'), 0o644);
  await expect(loadSecretKey(folder, {})).rejects.toThrow(
    'users other than the owner may read the key (found 644',
  );
});
