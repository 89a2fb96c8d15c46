import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CollectorStatus } from '../../common/api/host';
import { ownCollector, type OwnCollector } from './own-collector';

const ID = '0a1b2c3d-0000-4000-8000-000000000001';
const START = Date.parse('2026-11-26T10:00:00Z');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-own-collector-'));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'], now: START });
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

/** Writes the id of the collector like Beats do. */
function started(): void {
  const data = path.join(folder, 'collector', 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(path.join(data, 'meta.json'), `{"uuid":"${ID}","first_start":"2026-11-26T10:00:00Z"}\n`);
}

async function own(options: { elasticsearch?: string } = {}): Promise<OwnCollector> {
  const binary = path.join(folder, 'dynobeat');
  writeFileSync(binary, '');
  chmodSync(binary, 0o755);
  return ownCollector(options, binary, folder);
}

type Shipper = CollectorStatus['shippers'][number];
const shipper = (id: string, host: string, secondsAgo: number): Shipper =>
  ({ id, host, name: 'n', lastSeen: new Date(Date.now() - secondsAgo * 1000).toISOString() }) as Shipper;

/** Advances the clock beyond the grace period at start. */
const later = (): void => jest.setSystemTime(START + 60_000);

test.each([os.hostname(), '127.0.0.1', '::1', 'es-1.example.org', ''])(
  'a collector that sends events is running, regardless of the host name in its events: %p',
  async (host) => {
    started();
    const state = await own();
    later();
    expect(await state([shipper(ID, host, 2)])).toEqual({ state: 'running', detail: '' });
  },
);

test('a collector that has sent nothing for half a minute has failed', async () => {
  started();
  const state = await own();
  later();
  expect(await state([shipper(ID, os.hostname(), 31)])).toMatchObject({ state: 'failed' });
  expect(await state([])).toMatchObject({ state: 'failed' });
});

test('another collector of the same machine does not count', async () => {
  started();
  const state = await own();
  later();
  expect(await state([shipper('another', os.hostname(), 1)])).toMatchObject({ state: 'failed' });
});

test('a collector that never created its id has failed after the grace period', async () => {
  const state = await own();
  expect(await state([])).toMatchObject({ state: 'running' });
  later();
  expect(await state([shipper('another', os.hostname(), 1)])).toMatchObject({ state: 'failed' });
});

test('a collector is off if Elasticsearch is not the embedded one', async () => {
  const state = await own({ elasticsearch: 'http://es:9200' });
  expect(await state([])).toMatchObject({ state: 'off' });
});
