import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DistributionStatus } from '../../../common/api/distribution';
import {
  bundledJava,
  downloadOfficial,
  hasArtifacts,
  isWhole,
  officialArchive,
  versionAt,
  type OfficialArchive,
} from './official';
import { WholeDownload } from './whole-download';

const VERSION = '9.5.3';
const PATH = `/downloads/elasticsearch/elasticsearch-${VERSION}-linux-x86_64.tar.gz`;

let folder: string;
let server: Server;
let files: Record<string, string | Buffer>;
let asked: string[];
let archive: OfficialArchive;

/** Creates an unpacked distribution with the layout of Elastic's archive. */
function makeHome(home: string): void {
  for (const name of ['lib', 'modules/lang-painless', 'jdk'])
    mkdirSync(join(home, name), { recursive: true });
  writeFileSync(join(home, 'lib', `elasticsearch-${VERSION}.jar`), '');
  writeFileSync(join(home, 'lib', 'elasticsearch-core-9.5.3.jar'), '');
  writeFileSync(join(home, 'jdk', 'release'), 'IMPLEMENTOR="x"\nJAVA_VERSION="25.0.1"\n');
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-official-'));
  const name = `elasticsearch-${VERSION}`;
  makeHome(join(folder, 'made', name));
  execFileSync('tar', ['-czf', join(folder, 'made.tar.gz'), '-C', join(folder, 'made'), name]);
  const content = readFileSync(join(folder, 'made.tar.gz'));
  const sum = createHash('sha512').update(content).digest('hex');
  files = { [PATH]: content, [`${PATH}.sha512`]: `${sum}  elasticsearch-${VERSION}-linux-x86_64.tar.gz\n` };
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const file = files[request.url!];
    if (file === undefined) response.writeHead(404).end();
    else response.end(request.method === 'HEAD' ? undefined : file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const DYNO_ARTIFACTS = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  archive = officialArchive(VERSION, { DYNO_ARTIFACTS }, 'linux', 'x64')!;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const quiet = { onProgress: () => undefined };
const get = (): Promise<string> => downloadOfficial(archive, join(folder, 'cache'), quiet);

test('the archive is downloaded, checked and unpacked once, with its own JDK', async () => {
  const home = await get();
  expect(home).toBe(join(folder, 'cache', `elasticsearch-${VERSION}-full`));
  await expect(versionAt(home)).resolves.toBe(VERSION);
  await expect(isWhole(home)).resolves.toBe(true);
  await expect(bundledJava(home)).resolves.toEqual({ home: join(home, 'jdk'), release: 25 });
  await expect(get()).resolves.toBe(home);
  expect(asked).toEqual([`GET ${PATH}.sha512`, `GET ${PATH}`]);
});

test('an archive with another checksum is refused', async () => {
  files[`${PATH}.sha512`] = `${'0'.repeat(128)}  x\n`;
  await expect(get()).rejects.toMatchObject({ code: 'download.checksum' });
});

test('a version that the server lacks is refused with the path of the key', async () => {
  delete files[`${PATH}.sha512`];
  await expect(get()).rejects.toMatchObject({
    code: 'elasticsearch.version',
    problems: [{ path: 'environment.version', found: VERSION }],
  });
});

test('whether the server answers is known without a download', async () => {
  await expect(hasArtifacts(archive)).resolves.toBe(true);
  await expect(hasArtifacts({ ...archive, url: 'http://127.0.0.1:9/x' })).resolves.toBe(false);
  expect(asked).toEqual([`HEAD ${PATH}.sha512`]);
});

test('a folder without Elasticsearch is refused', async () => {
  await expect(versionAt(folder)).rejects.toMatchObject({ code: 'elasticsearch.home' });
});

test('a reduced distribution is not whole', async () => {
  await expect(isWhole(folder)).resolves.toBe(false);
});

test.each([
  ['linux', 'arm64', 'linux-aarch64'],
  ['darwin', 'arm64', 'darwin-aarch64'],
])('there is an archive for %s on %s', (platform, arch, name) => {
  expect(officialArchive(VERSION, {}, platform, arch)!.url).toBe(
    `https://artifacts.elastic.co/downloads/elasticsearch/elasticsearch-${VERSION}-${name}.tar.gz`,
  );
});

test('other platforms have no archive', () => {
  expect(officialArchive(VERSION, {}, 'freebsd', 'x64')).toBeUndefined();
});

describe('a download that a user of the pages starts', () => {
  const downloads = (): WholeDownload =>
    new WholeDownload({ archive, folder: () => Promise.resolve(join(folder, 'cache')) });
  const settled = async (download: WholeDownload): Promise<DistributionStatus> => {
    let status = await download.status();
    while (status.state === 'downloading') {
      await setTimeout(10);
      status = await download.status();
    }
    return status;
  };

  test('runs while other requests are answered, and once it is present nothing is downloaded', async () => {
    const download = downloads();
    expect(await download.status()).toMatchObject({ state: 'absent', version: VERSION, from: archive.url });
    const [first, second] = await Promise.all([download.start(), download.start()]);
    expect([first.state, second.state]).toEqual(['downloading', 'downloading']);
    expect(await settled(download)).toMatchObject({ state: 'present', problem: '' });
    expect(await download.start()).toMatchObject({ state: 'present' });
    expect(asked).toEqual([`GET ${PATH}.sha512`, `GET ${PATH}`]);
  });

  test('says why it failed, and can be repeated', async () => {
    const sum = files[`${PATH}.sha512`]!;
    delete files[`${PATH}.sha512`];
    const download = downloads();
    await download.start();
    expect(await settled(download)).toMatchObject({
      state: 'absent',
      problem: expect.stringContaining('does not exist'),
    });
    files[`${PATH}.sha512`] = sum;
    await download.start();
    expect(await settled(download)).toMatchObject({ state: 'present', problem: '' });
  });

  test('can be cancelled, which is no failure', async () => {
    const content = files[PATH] as Buffer;
    server.removeAllListeners('request');
    server.on('request', ({ url }, response) => {
      if (url !== PATH) return void response.end(files[url!]);
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 10));
    });
    const download = downloads();
    await download.start();
    while ((await download.status()).doneBytes === 0) await setTimeout(10);
    expect(await download.status()).toMatchObject({ doneBytes: 10, totalBytes: content.length });
    expect(await download.cancel()).toMatchObject({ state: 'absent', problem: '' });
  });
});
