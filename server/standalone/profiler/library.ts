/** Provides the native library of async-profiler (https://github.com/async-profiler/async-profiler, Apache-2.0) for this machine. */
import { join } from 'node:path';
import { runError } from '../../../common/problem';
import { mavenArtifact, type DownloadFollowing, type PinnedArtifact } from '../downloads/maven-artifact';
import { unpackOnce } from '../downloads/unpack-once';
import { distributionFolder } from '../elasticsearch/folders';
import type { Identity } from '../processes/supervisor';
import { unzip } from '../elasticsearch/unzip';

const ARTIFACT: PinnedArtifact = {
  groupId: 'tools.profiler',
  artifactId: 'async-profiler',
  version: '4.6',
  extension: 'jar',
  sha512:
    '6199eca86a34da81a8bfef949f5d92ae3ea6ca6fb6910c7ae555cbaf54d0032a' +
    '09788279f405275f2800c99da992908807ceb4f81fea790480007eebfee44ca2',
};
const NAME = `${ARTIFACT.artifactId}-${ARTIFACT.version}`;

/** Folder in the jar by system and processor. The library for macOS contains the code for both processors. */
const FOLDERS: Readonly<Record<string, string>> = {
  'linux/x64': 'linux-x64',
  'linux/arm64': 'linux-arm64',
  'darwin/x64': 'macos',
  'darwin/arm64': 'macos',
};

/** Returns the path of the library within the jar. Throws a DynoError `profiler.machine` if the jar has none for this machine. */
export function libraryIn(platform: string = process.platform, arch: string = process.arch): string {
  const folder = FOLDERS[`${platform}/${arch}`];
  if (folder !== undefined) return join(folder, 'libasyncProfiler.so');
  throw runError(
    'profiler.machine',
    '',
    `async-profiler is not available for ${platform} ${arch}: it exists for Linux and macOS on x64 and arm64`,
  );
}

/**
 * Resolves to the path of the library, which `identity` may read. The first call downloads the jar (1 MB). Rejects with a DynoError
 * `profiler.machine`, `download.*` or `disk.*`.
 */
export async function profilerLibrary(
  identity: Identity | undefined,
  following: DownloadFollowing = {},
): Promise<string> {
  const library = libraryIn();
  const home = await unpackOnce({
    home: join(await distributionFolder(identity), NAME),
    root: NAME,
    download: () => mavenArtifact(ARTIFACT, following),
    unpack: (jar, to) => unzip(jar, join(to, NAME)),
  });
  return join(home, library);
}
