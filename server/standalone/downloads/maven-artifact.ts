/** Downloads an artifact of a Maven repository, known by its coordinates and pinned by its checksum. */
import { join } from 'node:path';
import { runError } from '../../../common/problem';
import { cacheFolder } from './cache-folder';
import { download, fetchText } from './download';
import { outgoingAddress } from '../proxies';
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

const CENTRAL = 'https://repo1.maven.org/maven2';
/** Google's copy of Maven Central, for what Central itself serves. */
const COPY = 'https://maven-central.storage.googleapis.com/maven2';
/** A server that is not there, as behind many firewalls, holds nobody up for longer, ms. */
const ELSEWHERE_MS = 10_000;

/** The repository that `DYNO_MAVEN_REPOSITORY` names, else Maven Central. Throws a DynoError `download.repository` (input). */
function repositoryOf(environment: NodeJS.ProcessEnv): { url: string; headers: Record<string, string> } {
  const named = environment.DYNO_MAVEN_REPOSITORY;
  if (!named) return { url: CENTRAL, headers: {} };
  const { url, headers } = outgoingAddress(named, {
    code: 'download.repository',
    setting: 'DYNO_MAVEN_REPOSITORY',
    allowed: 'https://host/path or https://user:password@host/path',
  });
  return { url: url.href.replace(/\/*$/, ''), headers };
}

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
  const text = await fetch(own, signal, repositoryOf(environment).headers);
  if (text === undefined) return undefined;
  const beside = checksumIn(text);
  if (beside === undefined) throw runError('download.refused', own, 'is no SHA-512 checksum');
  for (const repository of [CENTRAL, COPY]) {
    const elsewhere = `${repository}/${pathOf(coordinates)}.sha512`;
    if (new URL(elsewhere).host === new URL(own).host) continue;
    const limit = AbortSignal.timeout(ELSEWHERE_MS);
    const told = await fetch(elsewhere, signal ? AbortSignal.any([signal, limit]) : limit).catch(() => '');
    signal?.throwIfAborted();
    const sha512 = checksumIn(told ?? '');
    if (sha512 !== undefined) return { ...coordinates, sha512, checksum: elsewhere, isIndependent: true };
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
    sha512: artifact.sha512,
    signal,
    onProgress: onProgress ?? downloadProgress(`Downloading ${name}`),
    onWait: () => process.stderr.write(`Waiting for another process that is downloading ${name}\n`),
  });
}
