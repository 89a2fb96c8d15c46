/** Tests that each implementation of the store of experiments must pass: that of Kibana and that of the standalone server. */
import type { Experiment } from '../../common/api/experiments';
import { readDefinitionText } from '../../common/experiment/read';
import { Conflict, type ExperimentStore } from '../../server/routes/services';

const textOf = (name: string, trials = 1): string => `# kept as it is
version: 1
name: ${JSON.stringify(name)}
tasks:
  - name: ingest
    ingest: { source: { generator: systembase }, bulk: { docs: 500 } }
    executor: { constant-clients: { clients: 1 } }
factors: { index.settings.refresh_interval: [1s, 30s], 'index.settings.a.b': [1, x, true] }
measure: { documents: 5_000 }
trials: ${trials}
`;

/** Registers these tests with Jest. `open` returns two objects for one empty store, which simulate two processes. */
export function describeExperimentStore(
  open: () => { store: ExperimentStore; another: ExperimentStore },
): void {
  const create = (store: ExperimentStore, text: string): ReturnType<ExperimentStore['create']> =>
    store.create(text, readDefinitionText(text, 'a.yml'));

  test('an experiment is returned at once as it was written, also in lists and to other processes', async () => {
    const { store, another } = open();
    expect(await store.list()).toEqual([]);
    const text = textOf('As written: "ü"');
    const created = await create(store, text);
    expect(created).toMatchObject({ text, definition: readDefinitionText(text, 'a.yml') });
    expect(created.created).toBe(created.updated);
    expect(await another.get(created.id)).toEqual(created);
    const listed: Partial<Experiment> = { ...created };
    delete listed.text;
    expect(await another.list()).toEqual([listed]);
    await store.delete(created.id);
    expect(await another.list()).toEqual([]);
  });

  test('ids derive from names, are unique, and are valid in a path', async () => {
    const { store } = open();
    const names = ['Same name', 'Same name', '../..', '%00', '日本', 'x'.repeat(200)];
    const ids: string[] = [];
    for (const name of names) ids.push((await create(store, textOf(name))).id);
    expect(ids.slice(0, 2)).toEqual(['same-name', 'same-name-2']);
    expect(new Set(ids).size).toBe(names.length);
    for (const id of ids) {
      expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,99}$/);
      await store.delete(id);
    }
  });

  test('concurrent creates get different ids', async () => {
    const { store, another } = open();
    const created = await Promise.all(
      [store, another, store, another].map((each) => create(each, textOf('Crowd'))),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(4);
    for (const { id } of created) await store.delete(id);
  });

  test('the second of two changes to the same version is refused with the stored version', async () => {
    const { store, another } = open();
    const { id, version } = await create(store, textOf('Contested'));
    const [mine, theirs] = [textOf('Contested', 2), textOf('Contested', 3)];
    const saved = await store.save(id, mine, readDefinitionText(mine, 'a.yml'), version);
    expect(saved.version).not.toBe(version);
    for (const stale of [version, '', 'made up', '99999-1', '0-0', '999999999999999999999-1']) {
      const refused = await another
        .save(id, theirs, readDefinitionText(theirs, 'a.yml'), stale)
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Conflict);
      expect(refused).toMatchObject({ code: 'experiment.conflict', current: saved });
    }
    expect(await store.get(id)).toEqual(saved);
    await store.delete(id);
  });

  test('a definition of 1 MB can be stored', async () => {
    const { store } = open();
    const text = `${textOf('Large')}# ${'x'.repeat(990_000)}\n`;
    const { id } = await create(store, text);
    expect((await store.get(id)).text).toBe(text);
    await store.delete(id);
  });

  test('lists contain more than one page of experiments', async () => {
    const { store } = open();
    const names = Array.from({ length: 105 }, (_, count) => `Many ${count}`);
    const created = await Promise.all(names.map((name) => create(store, textOf(name))));
    const ids = created.map(({ id }) => id);
    expect((await store.list()).map(({ id }) => id)).toEqual(ids.sort());
    await Promise.all(ids.map((id) => store.delete(id)));
  });

  test('a list shows at once what other processes changed, added and removed', async () => {
    const { store, another } = open();
    const [kept, changed, removed] = [
      await create(store, textOf('Stays')),
      await create(store, textOf('Changes')),
      await create(store, textOf('Goes')),
    ];
    const sizes = async (): Promise<Record<string, unknown>> =>
      Object.fromEntries((await store.list()).map(({ id, definition }) => [id, definition.trials]));
    expect(await sizes()).toEqual({ [kept.id]: 1, [changed.id]: 1, [removed.id]: 1 });
    const text = textOf('Changes', 7);
    await another.save(changed.id, text, readDefinitionText(text, 'a.yml'), changed.version);
    await another.delete(removed.id);
    const added = await create(another, textOf('Comes', 3));
    expect(await sizes()).toEqual({ [kept.id]: 1, [changed.id]: 7, [added.id]: 3 });
    await another.delete(added.id);
    const again = await create(another, textOf('Comes', 4));
    expect(again.id).toBe(added.id);
    expect(await sizes()).toEqual({ [kept.id]: 1, [changed.id]: 7, [added.id]: 4 });
    for (const id of [kept.id, changed.id, added.id]) await store.delete(id);
  });

  test('an unknown experiment is reported as not found', async () => {
    const { store } = open();
    const text = textOf('None');
    const definition = readDefinitionText(text, 'a.yml');
    for (const id of ['none', '*', '../x', '\0', 'ü', '_search']) {
      const missing = { kind: 'input', code: 'experiment.not-found' };
      await expect(store.get(id)).rejects.toMatchObject(missing);
      await expect(store.delete(id)).rejects.toMatchObject(missing);
      await expect(store.save(id, text, definition, '0-1')).rejects.toMatchObject(missing);
    }
  });
}
