import { loadDefinition } from './definition-file';

test.each(['/dev/full', '/dev/null'])('refuses the device %s without reading it', async (device) => {
  await expect(loadDefinition(device, { set: [] })).rejects.toThrow(`${device}: is a device, not a file`);
});

test.each(['password:Hunter2', '{"password":"Hunter2"}', 'Hunter2', 'name.deeper.password=Hunter2'])(
  'refuses the invalid setting %s without showing its value',
  async (setting) => {
    const message = await loadDefinition('first-minute', { set: [setting] }).catch(String);
    expect(message).toContain('--set');
    expect(message).not.toContain('Hunter2');
  },
);

test('a misspelt preset is refused with the name that was probably meant', async () => {
  await expect(loadDefinition('sematext-refesh', { set: [] })).rejects.toThrow(
    'there is no such file, did you mean sematext-refresh? (allowed: a YAML or JSON file, or a preset; `dyno presets` lists the presets)',
  );
});
