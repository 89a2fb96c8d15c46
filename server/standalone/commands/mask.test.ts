import { readdirSync } from 'node:fs';
import path from 'node:path';
import { madeFolder, madeRecord } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import { isDraft } from '../../whole-file';
import type { Console } from '../terminal/console';
import { maskCommand } from './mask';

const at = madeFolder();

test('Ctrl-C while masking leaves neither a copy nor a report', async () => {
  const file = at('shop.traffic.gz');
  const writer = await TrafficWriter.open(file, { startedAt: 5, origin: 'record', share: 1 });
  for (let order = 0; order < 5000; order += 1) await writer.write(madeRecord({ order, at: order }));
  await writer.close();
  const silent = (): void => undefined;
  const console: Console = {
    ...{ print: silent, say: silent, warn: silent },
    ...{ interactive: false, colour: false, width: 100 },
  };
  const to = at('masked.traffic.gz');
  const options = { to, report: at('mask.json'), keep: [], drop: [] };
  const masking = maskCommand(file, { ...options, fields: 'keep', indices: 'keep' }, console);
  const interrupt = setInterval(() => {
    if (!readdirSync(path.dirname(file)).some(isDraft)) return;
    clearInterval(interrupt);
    process.emit('SIGINT');
  }, 1);
  await expect(masking).rejects.toMatchObject({ problems: [{ code: 'mask.interrupted' }] });
  clearInterval(interrupt);
  expect(readdirSync(path.dirname(file))).toEqual(['shop.traffic.gz']);
});
