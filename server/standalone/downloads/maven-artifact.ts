/** Downloads an artifact of a Maven repository, known by its coordinates and pinned by its checksum. */
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
  /** Hex, of the artifact's content. */
  sha512: string;
}

/** An artifact whose checksum was looked up. */
export interface PublishedArtifact extends PinnedArtifact {
  /** Where the checksum comes from. */
  checksum: string;
  /** Whether that is another server than the file's: who changes the file on one cannot change it on both. */
  isIndependent: boolean;
}

const MIRROR = 'DYNO_MAVEN_REPOSITORY';
const CENTRAL = 'https://repo1.maven.org/maven2';
/** Google's copy of Maven Central, for what Central itself serves. */
const COPY = 'https://maven-central.storage.googleapis.com/maven2';
/** A server that is not there, as behind many firewalls, holds nobody up for longer, ms. */
const ELSEWHERE_MS = 10_000;

/** The repository that `DYNO_MAVEN_REPOSITORY` names, else Maven Central. Throws as {@link mirrorOf} does. */
const repositoryOf = (environment: NodeJS.ProcessEnv): Mirror => mirrorOf(MIRROR, CENTRAL, environment);

const pathOf = ({ groupId, artifactId, version, extension }: Coordinates): string =>
  `${groupId.replaceAll('.', '/')}/${artifactId}/${version}/${artifactId}-${version}.${extension}`;

/** The artifact's address without credentials, in the repository that `DYNO_MAVEN_REPOSITORY` names if it does. */
export const mavenArtifactUrl = (
  coordinates: Coordinates,
  environment: NodeJS.ProcessEnv = process.env,
): string => `${repositoryOf(environment).url}/${pathOf(coordinates)}`;

/**
 * The artifact with a checksum from another server than the file's where one has it, else with the one that stands beside
 * the file; undefined where its repository has none of this version. Rejects as {@link fetchText} does.
 */
export async function publishedArtifact(
  coordinates: Coordinates,
  { signal, environment = process.env, fetch = fetchText }: LookUp = {},
): Promise<PublishedArtifact | undefined> {
  const own = `${mavenArtifactUrl(coordinates, environment)}.sha512`;
  const text = await fetch(own, MIRROR, signal, repositoryOf(environment).headers);
  if (text === undefined) return undefined;
  const beside = checksumIn(text);
  if (beside === undefined) throw runError('download.refused', own, 'is no SHA-512 checksum');
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

/** `environment` and `fetch` are for tests. */
export interface LookUp {
  signal?: AbortSignal;
  environment?: NodeJS.ProcessEnv;
  fetch?: typeof fetchText;
}

const checksumIn = (text: string): string | undefined =>
  /^\s*([0-9a-f]{128})\b/i.exec(text)?.[1]?.toLowerCase();

/** How a download is followed and given up. */
export interface DownloadFollowing {
  signal?: AbortSignal;
  /** Instead of the progress on stderr. */
  onProgress?: (doneBytes: number, totalBytes: number | undefined) => void;
}

/** Resolves to the file in the cache; shows its progress on stderr unless it is followed. Rejects as {@link download} does. */
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
