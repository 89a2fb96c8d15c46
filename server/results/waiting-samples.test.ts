import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitingAmong, waitingOnDisk } from './waiting-samples';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-waiting-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sample = (id: string, at: string, space?: string) => ({
  index: 'dyno-samples-2026.11',
  id: `${id}-${at}`,
  source: {
    '@timestamp': `2026-11-20T10:00:${at}.000Z`,
    experiment: { id, name: id.toUpperCase(), target: 'local', space },
  },
});
const at = (second: string): number => Date.parse(`2026-11-20T10:00:${second}.000Z`);

test('the oldest sample of each experiment counts, and experiments of different spaces are different', () => {
  const found = waitingAmong([
    sample('a', '07'),
    sample('a', '05'),
    sample('a', '01', 'team'),
    { source: { run: {} } },
  ]);
  expect(found).toEqual([
    { experiment: { id: 'a', name: 'A', target: 'local' }, since: at('05') },
    { experiment: { id: 'a', name: 'A', target: 'local', space: 'team' }, since: at('01') },
  ]);
});

test('samples on disk are found in the folders of all processes, except incomplete lines and runs', async () => {
  const write = (process: string, name: string, text: string): void => {
    mkdirSync(path.join(folder, process), { recursive: true });
    writeFileSync(path.join(folder, process, name), text);
  };
  const lines = [sample('a', '05'), sample('a', '06')].map((document) => `${JSON.stringify(document)}\n`);
  write('h~1~x', '00000001.samples.ndjson', lines.join(''));
  write('h~2~y', '00000001.samples.ndjson', `${JSON.stringify(sample('b', '09'))}\n`);
  // A profile has up to 1 MB.
  const large = {
    ...sample('d', '10'),
    source: { ...sample('d', '10').source, stacks: 'x'.repeat(1024 ** 2) },
  };
  write('h~2~y', '00000004.samples.ndjson', `${JSON.stringify(large)}\n{}\n`);
  write('h~2~y', '00000002.samples.ndjson', '{"index":"dyno-sam');
  write('h~2~y', '00000003.documents.ndjson', JSON.stringify(sample('c', '01')));
  expect((await waitingOnDisk(folder)).map(({ experiment, since }) => [experiment.id, since])).toEqual([
    ['a', at('05')],
    ['b', at('09')],
    ['d', at('10')],
  ]);
  expect(await waitingOnDisk(path.join(folder, 'none'))).toEqual([]);
});
