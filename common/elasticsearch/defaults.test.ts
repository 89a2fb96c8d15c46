import { aboutSetting, differingSettings, INDEX_SETTINGS, jvmSettings, listedSettings } from './defaults';

test('options of the JVM have names and values, without paths and the heap', () => {
  expect(
    jvmSettings([
      '-Xms512m',
      '-XX:+UseG1GC',
      '-XX:-OmitStackTraceInFastThrow',
      '-XX:G1ReservePercent=25',
      '-XX:HeapDumpPath=data',
      '-XX:MaxDirectMemorySize=268435456',
      '-Djava.io.tmpdir=/tmp/x',
      '--add-modules=jdk.incubator.vector',
    ]),
  ).toEqual({
    '-XX:UseG1GC': 'on',
    '-XX:OmitStackTraceInFastThrow': 'off',
    '-XX:G1ReservePercent': '25',
    '-XX:MaxDirectMemorySize': '268435456',
    '--add-modules': 'jdk.incubator.vector',
  });
  expect(Object.keys(jvmSettings(Array.from({ length: 500 }, (_, n) => `-XX:Option${n}=1`)))).toHaveLength(
    60,
  );
});

test('a setting that is set takes precedence over its default, and long values are cut', () => {
  const set = { 'index.refresh_interval': '30s', 'index.uuid': 'x' };
  const defaults = {
    'index.refresh_interval': '1s',
    'index.codec': 'default',
    'index.store.type': 'x'.repeat(999),
  };
  const found = listedSettings(INDEX_SETTINGS, [set, undefined, defaults]);
  expect(found).toMatchObject({ 'index.refresh_interval': '30s', 'index.codec': 'default' });
  expect(found).not.toHaveProperty(['index.uuid']);
  expect(found['index.store.type']).toHaveLength(200);
});

test('sizes are the same in any unit', () => {
  const size = (value: unknown) =>
    listedSettings({ 'index.merge.policy.floor_segment': '' }, [
      { 'index.merge.policy.floor_segment': value },
    ]);
  expect(size('16777216b')).toEqual(size('16mb'));
  expect(size('5368709120b')['index.merge.policy.floor_segment']).toBe('5gb');
  expect(size('0b')['index.merge.policy.floor_segment']).toBe('0b');
  expect(size('-1b')['index.merge.policy.floor_segment']).toBe('-1b');
});

test('settings differ if their values do, or if only one engine has them', () => {
  const one = { Java: '25', 'index.codec': 'default', 'index.merge.policy.type': 'unset', '-XX:A': 'on' };
  const other = { Java: '25', 'index.codec': 'best_compression', '-XX:A': 'on', '-XX:B': '1' };
  expect(differingSettings([one, other])).toEqual([
    { name: 'index.codec', values: ['default', 'best_compression'] },
    { name: 'index.merge.policy.type', values: ['unset', null] },
    { name: '-XX:B', values: [null, '1'] },
  ]);
  expect(differingSettings([one, one])).toEqual([]);
  expect(aboutSetting('index.codec')).toBe('compression of stored fields');
});
