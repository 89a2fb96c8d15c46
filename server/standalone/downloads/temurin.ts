/** Downloads a JDK for machines without a suitable JDK: Eclipse Temurin, through the API of Adoptium. */
import { basename, join } from 'node:path';
import { download, sha256 } from './download';
import { mirrorOf, type Mirror } from './mirror';
import type { DownloadFollowing } from './maven-artifact';
import { downloadProgress } from './progress';
import { unpackOnce, untar } from './unpack-once';

const RELEASE = 'jdk-21.0.10+7';
/** Environment variable with the URL of a server that has Adoptium's API. */
const MIRROR = 'DYNO_ADOPTIUM';

/**
 * SHA-256 of the JDK's archive in hex, by operating system and processor. Adoptium published these checksums together with the archives.
 */
const ARCHIVES: Readonly<Record<string, string>> = {
  'linux/x64': 'ea3b9bd464d6dd253e9a7accf59f7ccd2a36e4aa69640b7251e3370caef896a4',
  'linux/aarch64': '357fee29fb0d5c079f6730db98b28942df13a6eed426f6c61cd4ad703ab27b9a',
  'mac/x64': '7484d5d4cdb02fc17a842ab86ddac2524a0365066659c46b2e258c64152379cd',
  'mac/aarch64': '01ca390455216ca27bdddf8cfad51aaedb4f90e1e23aad9bfd9e90caaa2c5f1b',
};
const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'mac' };
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'x64', arm64: 'aarch64' };

export interface Temurin extends Mirror {
  /** SHA-256 of the archive, in hex. */
  sha256: string;
  /** Name of the archive's folder in the cache. */
  name: string;
  /** Folder of the JDK within the folder `name`. */
  home: string;
}

/** Returns the JDK for a machine, or undefined if its system or processor is not supported. Throws as {@link mirrorOf} does. */
export function temurinFor(
  environment: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
  arch: string = process.arch,
): Temurin | undefined {
  const [system, processor] = [SYSTEMS[platform], PROCESSORS[arch]];
  const sum = ARCHIVES[`${system}/${processor}`];
  if (sum === undefined) return undefined;
  const { url, headers } = mirrorOf(MIRROR, 'https://api.adoptium.net', environment);
  const release = encodeURIComponent(RELEASE);
  return {
    // https://api.adoptium.net/q/swagger-ui: the archive of one release.
    url: `${url}/v3/binary/version/${release}/${system}/${processor}/jdk/hotspot/normal/eclipse`,
    headers,
    sha256: sum,
    name: RELEASE,
    home: system === 'mac' ? join(RELEASE, 'Contents', 'Home') : RELEASE,
  };
}

/**
 * Downloads the JDK (about 200 MB) unless it is already below `folder`. Resolves to the folder of the JDK. Rejects with the errors of
 * {@link download}.
 */
export async function downloadTemurin(
  temurin: Temurin,
  folder: string,
  { signal, onProgress }: DownloadFollowing = {},
): Promise<string> {
  const archive = join(folder, 'downloads', `${temurin.name}.tar.gz`);
  await unpackOnce({
    home: join(folder, temurin.name),
    root: temurin.name,
    download: () =>
      download({
        url: temurin.url,
        headers: temurin.headers,
        to: archive,
        checksum: sha256(temurin.sha256),
        mirror: MIRROR,
        signal,
        onProgress: onProgress ?? downloadProgress('Downloading Java'),
        onWait: () =>
          process.stderr.write(`Waiting for another process that is downloading ${basename(archive)}\n`),
      }),
    unpack: untar,
  });
  return join(folder, temurin.home);
}
