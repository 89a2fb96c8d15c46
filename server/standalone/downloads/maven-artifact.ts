/** Downloads an artifact from a Maven repository by its coordinates and checksum. */
import { join } from 'node:path';
import { runError } from '../../../common/problem';
import { cacheFolder } from './cache-folder';
import { download, fetchText, sha512 } from './download';
import { mirrorOf, type Mirror } from './mirror';
import { downloadProgress } from './progress';

export interface Coordinates {
  groupId: string;
  artifactId: string;
  version: string;
  extension: string;
}

export interface PinnedArtifact extends Coordinates {
  /** SHA-512 of the artifact, in hex. */
  sha512: string;
}

/** An artifact whose checksum was downloaded, in contrast to a checksum in the code. */
export interface PublishedArtifact extends PinnedArtifact {
  /** URL from which the checksum was downloaded. */
  checksum: string;
  /** Whether the checksum and the file come from different servers. An attacker would then have to change both. */
  isIndependent: boolean;
}

const MIRROR = 'DYNO_MAVEN_REPOSITORY';
const CENTRAL = 'https://repo1.maven.org/maven2';
/** Google's copy of Maven Central. If a file comes from Maven Central, its checksum is downloaded from this copy. */
const COPY = 'https://maven-central.storage.googleapis.com/maven2';
/**
 * Timeout in ms of the request for a checksum, if the file itself comes from a different server. It is short, because many firewalls
 * silently drop connections to servers that are not allowed.
 */
const ELSEWHERE_MS = 10_000;

/** Returns the repository in `DYNO_MAVEN_REPOSITORY`, or Maven Central. Throws like {@link mirrorOf}. */
const repositoryOf = (environment: NodeJS.ProcessEnv): Mirror => mirrorOf(MIRROR, CENTRAL, environment);

const pathOf = ({ groupId, artifactId, version, extension }: Coordinates): string =>
  `${groupId.replaceAll('.', '/')}/${artifactId}/${version}/${artifactId}-${version}.${extension}`;

/**
 * Returns the URL of the artifact without credentials: in the repository of `DYNO_MAVEN_REPOSITORY` if this variable is set, otherwise in
 * Maven Central.
 */
export const mavenArtifactUrl = (
  coordinates: Coordinates,
  environment: NodeJS.ProcessEnv = process.env,
): string => `${repositoryOf(environment).url}/${pathOf(coordinates)}`;

/**
 * Returns the artifact with its checksum. The checksum comes from a different server than the file if possible. Undefined if the repository
 * does not have this version. Rejects with the errors of {@link fetchText}.
 */
export async function publishedArtifact(
  coordinates: Coordinates,
  { signal, environment = process.env, fetch = fetchText }: LookUp = {},
): Promise<PublishedArtifact | undefined> {
  const own = `${mavenArtifactUrl(coordinates, environment)}.sha512`;
  const text = await fetch(own, MIRROR, signal, repositoryOf(environment).headers);
  if (text === undefined) return undefined;
  const beside = checksumIn(text);
  if (beside === undefined) throw runError('download.refused', own, 'is not a SHA-512 checksum');
  for (const repository of [CENTRAL, COPY]) {
    const elsewhere = `${repository}/${pathOf(coordinates)}.sha512`;
    if (new URL(elsewhere).host === new URL(own).host) continue;
    const limit = AbortSignal.timeout(ELSEWHERE_MS);
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    const text = await fetch(elsewhere, MIRROR, either).catch(() => '');
    signal?.throwIfAborted();
    const found = checksumIn(text ?? '');
    if (found !== undefined)
      return { ...coordinates, sha512: found, checksum: elsewhere, isIndependent: true };
  }
  return { ...coordinates, sha512: beside, checksum: own, isIndependent: false };
}

/** Options for finding an artifact. `environment` and `fetch` are for tests. */
export interface LookUp {
  signal?: AbortSignal;
  environment?: NodeJS.ProcessEnv;
  fetch?: typeof fetchText;
}

const checksumIn = (text: string): string | undefined =>
  /^\s*([0-9a-f]{128})\b/i.exec(text)?.[1]?.toLowerCase();

/** Options to watch the progress of a download and to abort it. */
export interface DownloadFollowing {
  signal?: AbortSignal;
  /** Called with the progress in bytes. Without it, the progress is shown on stderr. */
  onProgress?: (doneBytes: number, totalBytes: number | undefined) => void;
}

/**
 * Downloads an artifact unless it is in the cache. Resolves to its path in the cache. Shows the progress on stderr unless `onProgress` is
 * set. Rejects like {@link download}.
 */
export async function mavenArtifact(
  artifact: PinnedArtifact,
  { signal, onProgress }: DownloadFollowing = {},
): Promise<string> {
  const name = `${artifact.artifactId}-${artifact.version}.${artifact.extension}`;
  return download({
    url: mavenArtifactUrl(artifact),
    headers: repositoryOf(process.env).headers,
    to: join(cacheFolder(), 'downloads', name),
    checksum: sha512(artifact.sha512),
    mirror: MIRROR,
    signal,
    onProgress: onProgress ?? downloadProgress(`Downloading ${name}`),
    onWait: () => process.stderr.write(`Waiting for another process that is downloading ${name}\n`),
  });
}
