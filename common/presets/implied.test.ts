import { findPreset, PRESETS } from '.';
import { impliedClients } from './implied';

const clientsOf = (name: string, of: string): number[] => {
  const preset = findPreset(name)!;
  return preset.published.rows.flatMap((row) =>
    impliedClients(preset, row)
      .filter((implied) => implied.of === of)
      .map(({ clients }) => clients),
  );
};

test('bulks per second times their time are the clients given in the notes', () => {
  // "about 6, 12 and 23"
  expect(clientsOf('azure-scale-up', 'bulks').map(Math.round)).toEqual([6, 12, 23]);
  for (const clients of clientsOf('azure-refresh', 'bulks')) expect(Math.round(clients)).toBe(12);
});

test('queries with number and time come from about 8 clients', () => {
  for (const clients of clientsOf('azure-queries-only-scale-up', 'queries'))
    expect(Math.abs(clients - 8)).toBeLessThan(0.3);
});

test('bulks that are counted over the measured time are shown in addition to queries', () => {
  const [off, on] = clientsOf('azure-queries-mixed-cache', 'bulks');
  expect(off).toBeCloseTo(3.6, 1);
  expect(on).toBeCloseTo(8, 0);
});

test('a published benchmark with only rates or only times implies no clients', () => {
  const names = PRESETS.filter(({ published }) =>
    ['sematext-refresh', 'bigcommerce-tenants', 'logsearch-scaling'].includes(published.seed),
  ).map(({ name }) => name);
  for (const name of names) expect([...clientsOf(name, 'bulks'), ...clientsOf(name, 'queries')]).toEqual([]);
});
