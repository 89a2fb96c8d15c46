import { loadDefinition } from './definition-file';

test.each(['/dev/full', '/dev/null'])('the device %s is refused without being read', async (device) => {
  await expect(loadDefinition(device, { set: [] })).rejects.toThrow(`${device}: is a device, not a file`);
});

test.each(['password:Hunter2', '{"password":"Hunter2"}', 'Hunter2', 'name.deeper.password=Hunter2'])(
  'the wrong setting %s is refused without its value',
  async (setting) => {
    const message = await loadDefinition('first-minute', { set: [setting] }).catch(String);
    expect(message).toContain('--set');
    expect(message).not.toContain('Hunter2');
  },
);
