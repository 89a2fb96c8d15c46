import { inNamespace } from './saved-objects';
import { createSecrets, SECRETS_REFUSED } from './secrets';
import { fakeSavedObjects } from './testing/fake-saved-objects';

test('a secret can be read for its target and for no other', async () => {
  const { client, encrypted, kept } = fakeSavedObjects();
  const secrets = createSecrets(client, encrypted, undefined);
  expect(secrets.refused).toBeNull();
  const id = await secrets.keep('production', 'geheim');
  expect(kept()).not.toContain('geheim');
  expect(await secrets.open('production', id)).toBe('geheim');
  await expect(secrets.open('thief', id)).rejects.toMatchObject({ code: 'secrets.damaged' });
  await secrets.forget(id);
  await secrets.forget(id);
  await expect(secrets.open('production', id)).rejects.toMatchObject({ code: 'secrets.damaged' });
});

test('without Kibana’s encryption key no secret is stored, and the message names the setting', async () => {
  const { client } = fakeSavedObjects();
  const secrets = createSecrets(client, undefined, undefined);
  expect(secrets.refused).toBe(SECRETS_REFUSED);
  expect(SECRETS_REFUSED).toContain('xpack.encryptedSavedObjects.encryptionKey');
  await expect(secrets.keep('production', 'geheim')).rejects.toMatchObject({ code: 'secrets.refused' });
});

test('Kibana’s own access stores no secret, because it would not be encrypted', async () => {
  const { repository, encrypted, kept } = fakeSavedObjects();
  const own = createSecrets(inNamespace(repository, undefined), encrypted, undefined);
  await expect(own.keep('a target', 'geheim')).rejects.toThrow('would not be encrypted');
  expect(kept()).not.toContain('geheim');
});
