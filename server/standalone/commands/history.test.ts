import { watchExperiment } from './history';

test.each([undefined, ''])('requires an address if DYNO_WEBHOOK is %j', async (value) => {
  const before = process.env['DYNO_WEBHOOK'];
  delete process.env['DYNO_WEBHOOK'];
  if (value !== undefined) process.env['DYNO_WEBHOOK'] = value;
  const options = { webhook: true, metric: [], cell: [] } as unknown as Parameters<typeof watchExperiment>[1];
  await expect(watchExperiment('any', options, {} as never)).rejects.toThrow('DYNO_WEBHOOK is not set');
  delete process.env['DYNO_WEBHOOK'];
  if (before !== undefined) process.env['DYNO_WEBHOOK'] = before;
});
