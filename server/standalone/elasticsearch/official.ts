/**
 * Provides the full distribution of Elasticsearch: Elastic's official archive for this platform, with every module and its own JDK. Dyno
 * downloads it from the artifact server, or uses an unpacked distribution that the user provides.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputError, runError } from '../../../common/problem';
import { download, fetchText, isReachable, sha512 } from '../downloads/download';
import type { DownloadFollowing } from '../downloads/maven-artifact';
import { mirrorOf, type Mirror } from '../downloads/mirror';
import { downloadProgress } from '../downloads/progress';
import { unpackOnce, untar } from '../downloads/unpack-once';
import { unfollowed, type Steps } from '../start/steps';
import { releaseOf } from './jdk.mjs';
import type { Java } from './java';

/** Name of the environment variable with the URL of a mirror. The mirror has the same paths as artifacts.elastic.co. */
const MIRROR = 'DYNO_ARTIFACTS';
const PLATFORMS: Readonly<Record<string, string>> = {
  'linux/x64': 'linux-x86_64',
  'linux/arm64': 'linux-aarch64',
  'darwin/x64': 'darwin-x86_64',
  'darwin/arm64': 'darwin-aarch64',
};

export interface OfficialArchive extends Mirror {
  version: string;
  /** Name of the distribution's folder in the cache. */
  name: string;
}

/** Returns the archive of a version for a machine, or undefined if the machine is not supported. Throws the errors of {@link mirrorOf}. */
export function officialArchive(
  version: string,
  environment: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
  arch: string = process.arch,
): OfficialArchive | undefined {
  const built = PLATFORMS[`${platform}/${arch}`];
  if (built === undefined) return undefined;
  const { url, headers } = mirrorOf(MIRROR, 'https://artifacts.elastic.co', environment);
  return {
    url: `${url}/downloads/elasticsearch/elasticsearch-${version}-${built}.tar.gz`,
    headers,
    version,
    name: `elasticsearch-${version}-full`,
  };
}

/** Returns whether the artifact server responds within 3 s. */
export const hasArtifacts = ({ url }: OfficialArchive, signal?: AbortSignal): Promise<boolean> =>
  isReachable(`${url}.sha512`, signal);

export interface OfficialOptions extends DownloadFollowing {
  /** Receives the download as a step. If undefined, the progress is printed on stderr. */
  steps?: Steps;
}

/**
 * Resolves to the folder of the unpacked archive, below `folder`. The first call downloads about 600 MB and verifies the SHA-512 that the
 * server provides next to the archive. Rejects with an input error `elasticsearch.version` if the server does not have the version, or with
 * a DynoError `download.*`.
 */
export async function downloadOfficial(
  { url, headers, version, name }: OfficialArchive,
  folder: string,
  { steps = unfollowed, signal, onProgress: own }: OfficialOptions = {},
): Promise<string> {
  const text = {
    doing: `Downloading the whole Elasticsearch ${version}`,
    done: `The whole Elasticsearch ${version} is downloaded`,
  };
  return await unpackOnce({
    home: join(folder, name),
    root: `elasticsearch-${version}`,
    download: () =>
      steps.carry(text, async (onProgress) => {
        const published = await fetchText(`${url}.sha512`, MIRROR, signal, headers);
        if (published === undefined) {
          throw inputError('elasticsearch.version', 'environment.version', `${url} does not exist`, {
            found: version,
            allowed: 'a release of Elasticsearch from 8.19.0',
          });
        }
        const sum = /^\s*([0-9a-f]{128})\b/i.exec(published)?.[1]?.toLowerCase();
        if (sum === undefined) throw runError('download.refused', `${url}.sha512`, 'is no SHA-512 checksum');
        return await download({
          url,
          headers,
          to: join(folder, 'downloads', `${name}.tar.gz`),
          checksum: sha512(sum),
          mirror: MIRROR,
          signal,
          onProgress: onProgress ?? own ?? downloadProgress(text.doing),
          onWait: () =>
            process.stderr.write('Waiting for another process that is downloading Elasticsearch\n'),
        });
      }),
    unpack: untar,
  });
}

/** Resolves to the JDK that is part of an official distribution. Undefined if the distribution contains no JDK. */
export async function bundledJava(home: string): Promise<Java | undefined> {
  for (const jdk of [join(home, 'jdk'), join(home, 'jdk.app', 'Contents', 'Home')]) {
    const facts = await readFile(join(jdk, 'release'), 'utf8').catch(() => '');
    const version = /^JAVA_VERSION="([^"]+)"/m.exec(facts)?.[1];
    if (version !== undefined) return { home: jdk, release: releaseOf(version) };
  }
  return undefined;
}

/**
 * Returns the version of the unpacked distribution in the folder `home`. Rejects with an input error `elasticsearch.home` if the folder
 * contains no distribution.
 */
export async function versionAt(home: string): Promise<string> {
  const names = await readdir(join(home, 'lib')).catch(() => []);
  const version = names
    .map((name) => /^elasticsearch-(\d+\.\d+\.\d+(?:-SNAPSHOT)?)\.jar$/.exec(name)?.[1])
    .find((found) => found !== undefined);
  if (version === undefined) {
    throw inputError(
      'elasticsearch.home',
      'DYNO_ELASTICSEARCH_HOME',
      'is no unpacked Elasticsearch: lib/elasticsearch-VERSION.jar is missing',
      {
        found: home,
        allowed: 'the folder of an unpacked Elasticsearch from 8.19.0',
      },
    );
  }
  return version;
}

/** Returns whether an unpacked distribution is the full one: only the full distribution has the module for Painless. */
export const isWhole = async (home: string): Promise<boolean> =>
  (await readdir(join(home, 'modules')).catch((): string[] => [])).includes('lang-painless');
