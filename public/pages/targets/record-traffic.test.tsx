import { screen } from '@testing-library/react';
import type { Target } from '../../../common/api/targets';
import type { TrafficList } from '../../../common/api/traffic';
import { show } from '../../testing/fake-host';
import { recordCommand, RecordTraffic } from './record-traffic';

const TARGET: Target = {
  id: 'shop',
  version: '1',
  title: 'Shop',
  hosts: ['https://shop.example:9200', 'https://other.example:9200'],
  credentials: { kind: 'basic', username: 'anna' },
  ca: null,
  verifyCertificates: true,
  builtIn: false,
  experiments: 0,
};

const LIST: TrafficList = {
  folder: '/var/dyno/corpora',
  isCut: false,
  files: [
    {
      file: 'days/shop.traffic.gz',
      format: 'dyno',
      files: 2,
      bytes: 2_500_000,
      modifiedAt: '2026-11-27T13:00:00.000Z',
      startedAt: '2026-11-27T12:00:00.000Z',
      durationMs: 3_600_000,
      requests: 123_456,
    },
  ],
};

const showPart = (list: TrafficList, privilege: 'manage' | 'run' = 'manage'): void =>
  void show(<RecordTraffic target={TARGET} />, {
    privilege,
    answers: { 'GET /api/dyno/traffic': () => Response.json(list) },
  });

test('the command names the address of the target, without credentials', () => {
  expect(recordCommand(TARGET)).toBe(
    'dyno record --target https://shop.example:9200 \\\n  --listen 127.0.0.1:9201 \\\n  --to shop.traffic.gz --for 1h',
  );
  const withPassword = { ...TARGET, hosts: ['http://anna:secret@shop.example:9200'] };
  expect(recordCommand(withPassword)).toContain('--target http://shop.example:9200 ');
  expect(recordCommand({ ...TARGET, verifyCertificates: false })).toContain('--insecure');
  expect(recordCommand({ ...TARGET, ca: '-----BEGIN' })).toContain('--ca ca.pem');
});

test('recordings are listed with size, duration and requests, and link to their pages', async () => {
  showPart(LIST);
  const link = await screen.findByRole('link', { name: 'days/shop.traffic.gz' });
  expect(link.getAttribute('href')).toBe('/traffic?file=days%2Fshop.traffic.gz&target=shop');
  screen.getByText('123,456');
  screen.getByText('1h 00m');
  screen.getByText('2.38 MB');
  screen.getByText('2 files');
});

test('without a recording, the folder is named', async () => {
  showPart({ ...LIST, files: [] });
  expect(await screen.findByText('/var/dyno/corpora')).toBeTruthy();
});

test('without the privilege to manage Dyno, recordings are not requested', () => {
  showPart(LIST, 'run');
  expect(screen.getByText(/Only users who may manage Dyno/)).toBeTruthy();
});
