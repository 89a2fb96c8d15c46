/** Downloads an artifact of a Maven repository, known by its coordinates and pinned by its checksum. */
import { join } from 'node:path';
import locate, { type Artifact } from 'mvn-artifact-url';
import { cacheFolder } from './cache-folder';
import { download } from './download';
import { downloadProgress } from './progress';

export interface PinnedArtifact {
  groupId: string;
  artifactId: string;
  version: string;
  extension: string;
  /** Hex, of the artifact's content. */
  sha512: string;
}

// A CommonJS package with a default export: Node.js hands over its `exports` whole, other loaders the function itself.
type Locate = (artifact: Artifact, base?: string) => Promise<string>;
const artifactUrl =
  typeof locate === 'function' ? (locate as Locate) : (locate as { default: Locate }).default;

/** The artifact's address, in the repository that `DYNO_MAVEN_REPOSITORY` names if it does. */
export function mavenArtifactUrl(
  { groupId, artifactId, version, extension }: PinnedArtifact,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const base = environment.DYNO_MAVEN_REPOSITORY?.replace(/\/*$/, '/');
  return artifactUrl({ groupId, artifactId, version, extension }, base);
}

/** Resolves to the file in the cache; shows its progress on stderr. Rejects as {@link download} does. */
export async function mavenArtifact(artifact: PinnedArtifact): Promise<string> {
  const name = `${artifact.artifactId}-${artifact.version}.${artifact.extension}`;
  return download({
    url: await mavenArtifactUrl(artifact),
    to: join(cacheFolder(), 'downloads', name),
    sha512: artifact.sha512,
    onProgress: downloadProgress(`Downloading ${name}`),
    onWait: () => process.stderr.write(`Waiting for another process that is downloading ${name}\n`),
  });
}
