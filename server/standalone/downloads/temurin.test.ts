import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadTemurin, temurinFor, type Temurin } from './temurin';

let folder: string;
let server: Server;
let asked: string[];
let temurin: Temurin;

/** Starts a server that redirects like Adoptium's, to an archive with the same layout. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-temurin-'));
  asked = [];
  const name = 'jdk-21.0.10+7';
  mkdirSync(join(folder, 'made', name, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'made', name, 'bin', 'java'), '#!/bin/sh\n', { mode: 0o755 });
  const archive = join(folder, 'archive.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(folder, 'made'), name]);
  server = createServer((request, response) => {
    asked.push(request.url!);
    if (request.url === '/file') response.end(readFileSync(archive));
    else response.writeHead(307, { location: '/file' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const DYNO_ADOPTIUM = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  temurin = { ...temurinFor({ DYNO_ADOPTIUM }, 'linux', 'x64')!, sha256: sum };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const quiet = { onProgress: () => undefined };

test('a JDK is downloaded and unpacked once, and its archive is removed', async () => {
  const cache = join(folder, 'cache');
  const home = await downloadTemurin(temurin, cache, quiet);
  expect(home).toBe(join(cache, 'jdk-21.0.10+7'));
  execFileSync(join(home, 'bin', 'java'));
  expect(existsSync(join(cache, 'downloads', 'jdk-21.0.10+7.tar.gz'))).toBe(false);
  await expect(downloadTemurin(temurin, cache, quiet)).resolves.toBe(home);
  expect(asked).toEqual(['/v3/binary/version/jdk-21.0.10%2B7/linux/x64/jdk/hotspot/normal/eclipse', '/file']);
});

test('another archive than the pinned one is refused', async () => {
  const other = { ...temurin, sha256: '0'.repeat(64) };
  await expect(downloadTemurin(other, join(folder, 'cache'), quiet)).rejects.toMatchObject({
    code: 'download.checksum',
  });
});

test('a file that is no archive is named with what tar says', async () => {
  const text = 'not an archive';
  writeFileSync(join(folder, 'archive.tar.gz'), text);
  const wrong = { ...temurin, sha256: createHash('sha256').update(text).digest('hex') };
  await expect(downloadTemurin(wrong, join(folder, 'cache'), quiet)).rejects.toThrow(
    /tar could not unpack it: /,
  );
});

test.each([
  ['linux', 'arm64', '/linux/aarch64/', 'jdk-21.0.10+7'],
  ['darwin', 'arm64', '/mac/aarch64/', 'jdk-21.0.10+7/Contents/Home'],
])('there is one for %s on %s', (platform, arch, path, home) => {
  const found = temurinFor({}, platform, arch)!;
  expect(found.url).toContain(path);
  expect(found.home).toBe(home);
});

test('offers no JDK for other systems', () => {
  expect(temurinFor({}, 'linux', 'riscv64')).toBeUndefined();
});
