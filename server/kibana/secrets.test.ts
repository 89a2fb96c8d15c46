import { inNamespace } from './saved-objects';
import { createSecrets, SECRETS_REFUSED } from './secrets';
import { fakeSavedObjects } from './testing/fake-saved-objects';

test('a secret comes back for its target and for no other', async () => {
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

test('without a key of Kibana’s none is kept, and the sentence names the setting', async () => {
  const { client } = fakeSavedObjects();
  const secrets = createSecrets(client, undefined, undefined);
  expect(secrets.refused).toBe(SECRETS_REFUSED);
  expect(SECRETS_REFUSED).toContain('xpack.encryptedSavedObjects.encryptionKey');
  await expect(secrets.keep('production', 'geheim')).rejects.toMatchObject({ code: 'secrets.refused' });
});

test("Kibana's own access keeps no secret, for it would lie there in plain text", async () => {
  const { repository, encrypted, kept } = fakeSavedObjects();
  const own = createSecrets(inNamespace(repository, undefined), encrypted, undefined);
  await expect(own.keep('a target', 'geheim')).rejects.toThrow('would not be encrypted');
  expect(kept()).not.toContain('geheim');
});
