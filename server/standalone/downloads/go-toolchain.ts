/** Downloads a Go toolchain for machines without Go. The toolchain is the module `golang.org/toolchain` of the Go module proxy. */
import { createHash } from 'node:crypto';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import { unzip } from '../elasticsearch/unzip';
import { cacheFolder } from './cache-folder';
import { download, type Checksum } from './download';
import type { DownloadFollowing } from './maven-artifact';
import { downloadProgress } from './progress';
import { unpackOnce } from './unpack-once';

export const GO_VERSION = '1.26.8';

/** Checksums of the module in the Go checksum database (sum.golang.org), per GOARCH. */
const SUMS: Readonly<Record<string, string>> = {
  amd64: 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=',
  arm64: 'h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=',
};
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const PROXY = 'https://proxy.golang.org';

/** Computes the checksum of a module's zip: `Hash1` of golang.org/x/mod/sumdb/dirhash. */
const moduleSum = (expected: string): Checksum => ({
  name: 'checksum',
  expected,
  async of(file) {
    const archive = await openPromise(file);
    const sums: [name: string, sum: string][] = [];
    try {
      for await (const entry of archive.eachEntry()) {
        const hash = createHash('sha256');
        for await (const chunk of await archive.openReadStreamPromise(entry)) hash.update(chunk as Buffer);
        sums.push([entry.fileName, hash.digest('hex')]);
      }
    } finally {
      archive.close();
    }
    // Sorted by bytes, as Go does.
    sums.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const lines = sums.map(([name, sum]) => `${sum}  ${name}\n`).join('');
    return `h1:${createHash('sha256').update(lines).digest('base64')}`;
  },
});

export interface GoToolchain {
  /** Address of the module's zip. */
  url: string;
  /** Checksum of the module, as in Go's checksum database. */
  sum: string;
  /** Path of the toolchain's folder within the zip. */
  root: string;
  /** Path of the toolchain's folder in the cache. It contains `bin/go`. */
  home: string;
}

/**
 * Returns the toolchain for a machine. Undefined if Dyno knows no toolchain for this machine. The environment variable `GOPROXY` may name
 * the proxy to use.
 */
export function goToolchainFor(
  environment: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
  arch: string = process.arch,
): GoToolchain | undefined {
  const architecture = ARCHITECTURES[arch] ?? '';
  const sum = SUMS[architecture];
  if (platform !== 'linux' || sum === undefined) return undefined;
  const version = `v0.0.1-go${GO_VERSION}.linux-${architecture}`;
  const proxies = (environment.GOPROXY ?? '').split(/[,|]/);
  const proxy = (proxies.find((one) => /^https?:\/\//.test(one)) ?? PROXY).replace(/\/+$/, '');
  return {
    url: `${proxy}/golang.org/toolchain/@v/${version}.zip`,
    sum,
    root: `golang.org/toolchain@${version}`,
    home: join(cacheFolder(environment), `go-${GO_VERSION}-linux-${architecture}`),
  };
}

/** Makes the files in Go's binary folders executable. A module's zip does not store permissions; `go` sets them for the same folders. */
async function makeExecutable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o755);
}

/**
 * Downloads the toolchain (72 MB) unless it is in the cache. Resolves to the folder `home`. Rejects with the errors of {@link download}.
 */
export async function downloadGo(
  { url, sum, root, home }: GoToolchain,
  { signal, onProgress }: DownloadFollowing = {},
): Promise<string> {
  return await unpackOnce({
    home,
    root,
    download: () =>
      download({
        url,
        to: `${home}.zip`,
        checksum: moduleSum(sum),
        mirror: 'GOPROXY',
        signal,
        onProgress: onProgress ?? downloadProgress(`Downloading Go ${GO_VERSION}`),
        onWait: () => process.stderr.write('Waiting for another process that is downloading Go\n'),
      }),
    async unpack(archive, to) {
      await unzip(archive, to);
      await makeExecutable(join(to, root, 'bin'));
      await makeExecutable(join(to, root, 'pkg', 'tool'));
    },
  });
}
