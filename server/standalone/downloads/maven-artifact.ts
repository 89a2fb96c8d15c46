/** Downloads an artifact of a Maven repository, known by its coordinates and pinned by its checksum. */
import { join } from 'node:path';
import { runError } from '../../../common/problem';
import { cacheFolder } from './cache-folder';
import { download, fetchText } from './download';
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

const CENTRAL = 'https://repo1.maven.org/maven2';

/** The artifact's address, in the repository that `DYNO_MAVEN_REPOSITORY` names if it does. */
export function mavenArtifactUrl(
  { groupId, artifactId, version, extension }: Coordinates,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const repository = environment.DYNO_MAVEN_REPOSITORY?.replace(/\/*$/, '') || CENTRAL;
  const group = groupId.replaceAll('.', '/');
  return `${repository}/${group}/${artifactId}/${version}/${artifactId}-${version}.${extension}`;
}

/**
 * The artifact with the checksum that the repository publishes beside it; undefined where it has none of this version.
 * Rejects as {@link fetchText} does.
 */
export async function publishedArtifact(
  coordinates: Coordinates,
  signal?: AbortSignal,
): Promise<PinnedArtifact | undefined> {
  const url = `${mavenArtifactUrl(coordinates)}.sha512`;
  const text = await fetchText(url, signal);
  if (text === undefined) return undefined;
  const sha512 = /^\s*([0-9a-f]{128})\b/i.exec(text)?.[1]?.toLowerCase();
  if (sha512 === undefined) throw runError('download.refused', url, 'is no SHA-512 checksum');
  return { ...coordinates, sha512 };
}

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
    to: join(cacheFolder(), 'downloads', name),
    sha512: artifact.sha512,
    signal,
    onProgress: onProgress ?? downloadProgress(`Downloading ${name}`),
    onWait: () => process.stderr.write(`Waiting for another process that is downloading ${name}\n`),
  });
}
