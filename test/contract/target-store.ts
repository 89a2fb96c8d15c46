/** Tests that each implementation of the store of targets must pass: that of Kibana and that of the standalone server. */
import { Conflict, type NewTarget, type TargetStore } from '../../server/routes/services';

export interface OpenTargets {
  store: TargetStore;
  /** A second object for the same store, which simulates another process. */
  another: TargetStore;
  /** Returns everything that is stored as one text. Tests search it for secrets. */
  kept(): Promise<string>;
  /** Host name that the settings of Dyno do not allow as a target. */
  forbiddenHost: string;
}

const SECRET = 'geheimes-Kennwort-9';

const target = (id: string, more: Partial<NewTarget> = {}): NewTarget => ({
  id,
  title: 'A cluster',
  hosts: ['http://127.0.0.1:9', 'http://127.0.0.1:19'],
  credentials: { kind: 'basic', username: 'elastic', password: SECRET },
  ca: null,
  verifyCertificates: true,
  ...more,
});

const settingsOf = ({ id: _id, ...settings }: NewTarget): Omit<NewTarget, 'id'> => settings;

export function describeTargetStore(open: () => OpenTargets): void {
  test('the host’s own target always exists and cannot be changed', async () => {
    const { store } = open();
    expect(await store.get('local')).toMatchObject({ id: 'local', builtIn: true, version: null });
    expect((await store.list()).map(({ id }) => id)).toEqual(['local']);
    const settings = settingsOf(target('local'));
    const refused = { code: 'target.built-in' };
    await expect(store.create(target('local'))).rejects.toMatchObject(refused);
    await expect(store.save('local', { ...settings, version: '0-1' })).rejects.toMatchObject(refused);
    await expect(store.delete('local')).rejects.toMatchObject(refused);
    expect(await store.inspect('local')).toMatchObject({ reachable: true, cluster: { health: 'green' } });
  });

  test('stored secrets are never returned', async () => {
    const { store, another, kept } = open();
    const answers: unknown[] = [await store.create(target('a'))];
    answers.push(await store.create(target('b', { credentials: { kind: 'api-key', key: SECRET } })));
    answers.push(
      await another.list(),
      await another.get('a'),
      await another.inspect('a'),
      await another.inspect('b'),
    );
    const settings = settingsOf(target('a'));
    answers.push(await store.try({ ...settings, id: 'a', credentials: { kind: 'keep' } }));
    expect(await another.get('a')).toMatchObject({ credentials: { kind: 'basic', username: 'elastic' } });
    expect(await another.get('b')).toMatchObject({ credentials: { kind: 'api-key', username: null } });
    for (const text of [JSON.stringify(answers), await kept()]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(Buffer.from(`elastic:${SECRET}`).toString('base64'));
    }
    await store.delete('a');
    await store.delete('b');
  });

  test('the second of two changes to the same version, or of two creates with the same name, is refused', async () => {
    const { store, another } = open();
    const { version } = await store.create(target('contested'));
    await expect(another.create(target('contested'))).rejects.toBeInstanceOf(Conflict);
    const settings = settingsOf(target('contested', { title: 'Mine' }));
    const saved = await store.save('contested', { ...settings, version: version! });
    const refused = await another
      .save('contested', { ...settings, title: 'Theirs', version: version! })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Conflict);
    expect(refused).toMatchObject({ code: 'target.conflict', current: saved });
    await store.delete('contested');
  });

  test('stored credentials are only used for the hosts that they were given for', async () => {
    const { store } = open();
    const { version } = await store.create(target('keeper'));
    const settings = settingsOf(target('keeper', { credentials: { kind: 'keep' } }));
    const [first] = settings.hosts;
    const elsewhere = { ...settings, hosts: ['http://127.0.0.1:29'] };
    const refused = { kind: 'input', code: 'target.credentials' };
    await expect(store.save('keeper', { ...elsewhere, version: version! })).rejects.toMatchObject(refused);
    await expect(store.try({ ...elsewhere, id: 'keeper' })).rejects.toMatchObject(refused);
    await expect(store.try(settings)).rejects.toMatchObject(refused);
    await expect(store.create({ ...settings, id: 'new' })).rejects.toMatchObject(refused);
    const fewer = await store.save('keeper', { ...settings, hosts: [first!], version: version! });
    expect(fewer).toMatchObject({ hosts: [first], credentials: { kind: 'basic', username: 'elastic' } });
    await store.delete('keeper');
  });

  test.each<[string, Partial<NewTarget>, string]>([
    ['credentials in a host', { hosts: [`http://u:${SECRET}@h`] }, 'target.credentials-in-hosts'],
    ['credentials with a slash in a host', { hosts: [`u:${SECRET}/x@h`] }, 'target.credentials-in-hosts'],
    ['an invalid host', { hosts: ['http://a b'] }, 'target.hosts'],
    ['another scheme', { hosts: ['ftp://h'] }, 'target.hosts'],
    ['an invalid certificate', { ca: SECRET }, 'target.ca'],
    [
      'a user with a colon',
      { credentials: { kind: 'basic', username: 'a:b', password: SECRET } },
      'target.credentials',
    ],
    [
      'a key with a line break',
      { credentials: { kind: 'api-key', key: `${SECRET}\nx: y` } },
      'target.credentials',
    ],
  ])(
    '%s is refused without showing a secret, in a save and in a test of the connection',
    async (_, wrong, code) => {
      const { store } = open();
      const settings = settingsOf(target('wrong', wrong));
      for (const failure of [store.create({ id: 'wrong', ...settings }), store.try(settings)]) {
        await expect(failure).rejects.toMatchObject({ kind: 'input', code });
        await expect(failure).rejects.not.toThrow(SECRET);
      }
    },
  );

  test('hosts that the settings forbid are neither stored nor contacted', async () => {
    const { store, forbiddenHost } = open();
    const settings = settingsOf(target('forbidden', { hosts: [forbiddenHost] }));
    const refused = { kind: 'input', code: 'target.host-not-allowed' };
    await expect(store.create({ id: 'forbidden', ...settings })).rejects.toMatchObject(refused);
    await expect(store.try(settings)).rejects.toMatchObject(refused);
  });

  test('a target that does not answer is reported with the reason', async () => {
    const { store } = open();
    const settings = settingsOf(target('away'));
    expect(await store.try(settings)).toMatchObject({
      reachable: false,
      problem: expect.stringContaining('refuses connections'),
      cluster: null,
      nodes: [],
    });
  });

  test('an unknown target is reported as not found', async () => {
    const { store } = open();
    const settings = settingsOf(target('none'));
    const missing = { kind: 'input', code: 'target.not-found' };
    await expect(store.get('none')).rejects.toMatchObject(missing);
    await expect(store.inspect('none')).rejects.toMatchObject(missing);
    await expect(store.delete('none')).rejects.toMatchObject(missing);
    await expect(store.save('none', { ...settings, version: '0-1' })).rejects.toMatchObject(missing);
    await expect(store.try({ ...settings, id: 'none', credentials: { kind: 'keep' } })).rejects.toMatchObject(
      missing,
    );
  });
}
