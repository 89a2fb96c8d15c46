/**
 * Provides the distributions of Elasticsearch and OpenSearch. Downloads and unpacks each distribution once, and adds missing modules. Later
 * calls use the copy in the cache.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINE_NAMES, type Engine } from '../../../common/elasticsearch/engine';
import { DynoError, inputError, runError } from '../../../common/problem';
import { asDiskError } from '../disk-error';
import { writeWhole } from '../../whole-file';
import { withFileLock } from '../downloads/file-lock';
import {
  mavenArtifact,
  mavenArtifactUrl,
  publishedArtifact,
  type DownloadFollowing,
  type PinnedArtifact,
} from '../downloads/maven-artifact';
import { temurinFor } from '../downloads/temurin';
import { CANNOT_BE_ROOT, distributionFolder } from './folders';
import type { Identity } from '../processes/supervisor';
import { compileJar } from './compile';
import { obstacleOnWay } from './identity';
import { findJava, type Java, type JavaOptions } from './java';
import { lookForJdk } from './jdk.mjs';
import {
  bundledJava,
  downloadOfficial,
  hasArtifacts,
  isWhole,
  officialArchive,
  versionAt,
  type OfficialArchive,
} from './official';
import { addModule, modulesToAdd } from './modules/add';
import { addedModules, hasEsql, type Release } from './modules/table';
import { PLUGIN_CLASS, PLUGIN_NAME, PLUGIN_PACKAGE, PLUGIN_SOURCES, pluginDescriptor } from './plugin/source';
import { withPlugins } from './plugins';
import { PRODUCTS } from './products';
import { unfollowed, type Steps } from '../start/steps';
import { unzip } from './unzip';
import { exists } from '../exists';

export const ELASTICSEARCH_VERSION = PRODUCTS.elasticsearch.version;

/** Formats a version for people: `OpenSearch 3.6.0`. */
const nameOf = ({ engine, version }: Release): string => `${ENGINE_NAMES[engine]} ${version}`;

/** Returns the name of the distribution's folder in the cache. The folder in its archive has the same name. */
const folderOf = ({ engine, version }: Release): string =>
  `${PRODUCTS[engine].artifact.artifactId}-${version}`;

/**
 * Returns the archive of a release with its checksum. `note`: a warning if the checksum was downloaded from the same server as the archive;
 * otherwise ''.
 */
async function artifactOf(
  release: Release,
  signal: AbortSignal | undefined,
): Promise<{ artifact: PinnedArtifact; note: string }> {
  const { engine, version } = release;
  const product = PRODUCTS[engine];
  const coordinates = { ...product.artifact, version };
  const pinned = Object.hasOwn(product.sha512, version) ? product.sha512[version] : undefined;
  if (pinned !== undefined) return { artifact: { ...coordinates, sha512: pinned }, note: '' };
  const published = await publishedArtifact(coordinates, { signal });
  if (published) return { artifact: published, note: published.isIndependent ? '' : sameServer(release) };
  const folder = mavenArtifactUrl(coordinates).split('/').slice(0, -2).join('/');
  throw inputError('elasticsearch.version', 'environment.version', 'this version is not published', {
    found: nameOf(release),
    allowed: `a version listed at ${folder}/`,
  });
}

const sameServer = (release: Release): string =>
  `the checksum of ${nameOf(release)} came from the same server as the file, because no other server had it: it proves that the ` +
  'file arrived complete, but not that nobody changed it on the server';

/** Kind of a distribution. `full`: with all modules of the engine. `reduced`: the server without most modules. */
export type DistributionKind = 'full' | 'reduced';

export interface Distribution extends Release {
  kind: DistributionKind;
  /** Note for reports about the distribution's checksum and its missing modules; '' if there is nothing to note. */
  note: string;
  /** Folder of the unpacked archive. Running nodes do not write to it. */
  home: string;
  /** Names of the plugins that Dyno added; absent if it added none. */
  plugins?: readonly string[];
  java: Java;
}

/** The modules that a reduced OpenSearch lacks, as text after the word "without" in messages. */
const LACKED_BY_OPENSEARCH =
  'scripts, ingest pipelines, most analyzers and others, which the archive of this version on Maven Central does not contain';

/** Returns a sentence, without its full stop, about the engine that has started and the modules that a reduced distribution lacks. */
export function describeDistribution(
  found: Pick<Distribution, 'engine' | 'version' | 'kind' | 'plugins'>,
): string {
  const started = `${nameOf(found)} has started`;
  if (found.engine === 'opensearch') {
    if (found.kind === 'reduced') return `${started}, reduced: without ${LACKED_BY_OPENSEARCH}`;
    const modules = addedModules(found).length === 0 ? 'all' : 'most';
    return `${started}, with ${modules} modules, ${
      found.plugins === undefined ? 'without plugins' : `with ${found.plugins.join(' and ')}`
    }`;
  }
  return found.kind === 'full'
    ? `${started}, with all modules`
    : `${started}, reduced: without scripts, ingest pipelines${
        hasEsql(found.version) ? '' : ', ES|QL'
      } and others, which --distribution full has`;
}

const STAMP = 'source.sha256';
/**
 * Returns a hash of a plugin's source and the version of the engine. Dyno stores the hash next to the compiled plugin. If the hash changes,
 * Dyno compiles the plugin again.
 */
const stampOf = (source: string, version: string): string =>
  createHash('sha256')
    .update(source + pluginDescriptor(version))
    .digest('hex');

/**
 * Returns the path of the file with the warning about the distribution's checksum. Runs that use the distribution later show this warning
 * from the file.
 */
const noteOf = (home: string): string => `${home}.note`;

const pluginFolder = (home: string): string => join(home, 'plugins', PLUGIN_NAME);

/** Returns whether the distribution contains the plugin, compiled from the current source. */
async function hasPlugin(home: string, version: string): Promise<boolean> {
  const stamp = await readFile(join(pluginFolder(home), STAMP), 'utf8').catch(() => '');
  return PLUGIN_SOURCES.some((source) => stampOf(source, version) === stamp);
}

/** Returns whether the distribution is unpacked, with the plugin and the modules that Dyno adds. */
const isComplete = async (home: string, release: Release): Promise<boolean> =>
  (await exists(home)) &&
  (!PRODUCTS[release.engine].needsPlugin || (await hasPlugin(home, release.version))) &&
  (await modulesToAdd(home, addedModules(release))).length === 0;

async function unpack(
  home: string,
  release: Release,
  { steps = unfollowed, ...following }: Pick<DistributionOptions, 'steps' | 'signal' | 'onProgress'>,
): Promise<void> {
  const { artifact, note } = await artifactOf(release, following.signal);
  const name = nameOf(release);
  const zip = await steps.carry(
    { doing: `Downloading ${name}`, done: `${name} is downloaded` },
    (onProgress) => mavenArtifact(artifact, onProgress ? { ...following, onProgress } : following),
  );
  if (steps === unfollowed) process.stderr.write(`Unpacking and starting ${name}, about 20 seconds\n`);
  await steps.carry({ doing: `Unpacking ${name}`, done: `${name} is unpacked` }, async () => {
    await writeWhole(noteOf(home), note);
    const unpacking = `${home}.unpacking`;
    await rm(unpacking, { recursive: true, force: true });
    await unzip(zip, unpacking);
    await rename(join(unpacking, folderOf(release)), home);
    await rm(unpacking, { recursive: true, force: true });
  });
}

/**
 * Tries to compile the {@link PLUGIN_SOURCES} in their order. Resolves to the first one that compiles. If none compiles, rejects with the
 * error of the first one.
 */
async function compileSources(home: string, jar: string, java: Java): Promise<string> {
  const failures: unknown[] = [];
  for (const source of PLUGIN_SOURCES) {
    try {
      await compileJar(java, {
        what: 'the plugin that completes Elasticsearch',
        sources: { [`${PLUGIN_PACKAGE}.${PLUGIN_CLASS}`]: source },
        classPath: [join(home, 'lib', '*')],
        jar,
      });
      return source;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

async function compilePlugin(home: string, version: string, java: Java): Promise<void> {
  const result = `${home}.plugin`;
  await rm(result, { recursive: true, force: true });
  await mkdir(result, { recursive: true });
  await chmod(result, 0o755);
  const source = await compileSources(home, join(result, `${PLUGIN_NAME}.jar`), java);
  for (const [name, text] of [
    ['plugin-descriptor.properties', pluginDescriptor(version)],
    [STAMP, stampOf(source, version)],
  ] as const) {
    await writeFile(join(result, name), text);
    await chmod(join(result, name), 0o644);
  }
  await rm(pluginFolder(home), { recursive: true, force: true });
  await rename(result, pluginFolder(home));
}

export interface DistributionOptions extends DownloadFollowing {
  /** Version of the engine; by default, the one that Dyno uses. */
  version?: string;
  /**
   * Kind of the distribution. The default is `reduced`, with one exception: if this machine has no suitable JDK and the artifact server
   * responds, it is `full`, because this distribution contains a JDK.
   */
  kind?: DistributionKind;
  /** Names of plugins to add. All of them must be among {@link knownPlugins}. Not allowed for Elasticsearch. */
  plugins?: readonly string[] | undefined;
  /** Receives the steps that take long. If it is absent, these steps are printed on stderr. */
  steps?: Steps;
}

/**
 * Resolves to a distribution of `engine` that the user `identity` can start. The first call downloads and unpacks it; later calls only
 * check the cache. Rejects with the errors of {@link elasticsearchDistribution}.
 */
export async function distributionOf(
  engine: Engine,
  identity: Identity | undefined,
  options: DistributionOptions = {},
): Promise<Distribution> {
  if (engine === 'elasticsearch') return await elasticsearchDistribution(identity, options);
  const { version = PRODUCTS[engine].version, plugins = [] } = options;
  const folder = await distributionFolder(identity);
  const found = await publishedDistribution({ engine, version }, folder, identity, options);
  return plugins.length === 0
    ? found
    : { ...found, plugins, home: await withPlugins(found.home, { ...options, engine, version, plugins }) };
}

/**
 * Resolves to a distribution of Elasticsearch that the user `identity` can start. Uses the distribution in `DYNO_ELASTICSEARCH_HOME` if it
 * has the requested version and kind. Otherwise, the first call downloads a distribution, and later calls use the cache. Rejects with a
 * DynoError if something necessary is missing, or with the signal's reason.
 */
export async function elasticsearchDistribution(
  identity: Identity | undefined,
  options: DistributionOptions = {},
): Promise<Distribution> {
  const named = process.env['DYNO_ELASTICSEARCH_HOME'];
  if (named) {
    const found = { version: await versionAt(named), kind: await kindAt(named) };
    if (fits(found, options)) return await namedDistribution(named, found, identity, options);
  }
  const { version = ELASTICSEARCH_VERSION, kind, ...following } = options;
  const folder = await distributionFolder(identity);
  const archive = officialArchive(version);
  if (kind === 'full' && archive === undefined) {
    throw runError(
      'elasticsearch.no-archive',
      `${process.platform}/${process.arch}`,
      'Elastic publishes no Elasticsearch for this platform: let DYNO_ELASTICSEARCH_HOME name one that is unpacked',
    );
  }
  const isFull =
    archive !== undefined &&
    (kind === 'full' || (kind === undefined && (await replacesJdk(archive, folder, following))));
  return isFull
    ? wholeDistribution(archive, folder, identity, following)
    : publishedDistribution({ engine: 'elasticsearch', version }, folder, identity, {
        ...following,
        silent: kind === undefined && archive ? new URL(archive.url).origin : undefined,
      });
}

const fits = (
  found: Pick<Distribution, 'version' | 'kind'>,
  { version, kind }: DistributionOptions,
): boolean =>
  (version === undefined || version === found.version) && (kind === undefined || kind === found.kind);

const kindAt = async (home: string): Promise<DistributionKind> =>
  (await isWhole(home)) ? 'full' : 'reduced';

async function namedDistribution(
  home: string,
  { version, kind }: Pick<Distribution, 'version' | 'kind'>,
  identity: Identity | undefined,
  { steps, signal, onProgress }: DistributionOptions,
): Promise<Distribution> {
  const java =
    (await bundledJava(home)) ??
    (await findJava({
      folder: await distributionFolder(identity),
      range: PRODUCTS.elasticsearch.javaOf(version),
      steps,
      signal,
      onProgress,
    }));
  await checkWay(home, identity);
  return { engine: 'elasticsearch', version, home, java, note: '', kind };
}

/** Returns whether to use the official archive for its JDK, because this machine has no suitable JDK. */
async function replacesJdk(
  archive: OfficialArchive,
  folder: string,
  { signal }: DownloadFollowing,
): Promise<boolean> {
  if (process.env['DYNO_JAVA_HOME'] || !('unfit' in (await lookForJdk(process.env)))) return false;
  if (await exists(join(folder, archive.name))) return true;
  const temurin = temurinFor();
  if (temurin && (await exists(join(folder, temurin.name)))) return false;
  return await hasArtifacts(archive, signal);
}

async function wholeDistribution(
  archive: OfficialArchive,
  folder: string,
  identity: Identity | undefined,
  following: Pick<DistributionOptions, 'steps' | 'signal' | 'onProgress'>,
): Promise<Distribution> {
  const home = await downloadOfficial(archive, folder, following);
  const java = (await bundledJava(home)) ?? (await findJava({ folder, ...following }));
  await checkWay(java.home, identity);
  return { engine: 'elasticsearch', version: archive.version, home, java, note: '', kind: 'full' };
}

/**
 * Checks that the user `identity` can access the distribution. Rejects with a DynoError if the user has no access to a folder on its path.
 */
async function checkWay(home: string, identity: Identity | undefined): Promise<void> {
  const obstacle = await obstacleOnWay(home, identity);
  if (obstacle === undefined) return;
  throw runError(
    'java.unfit',
    home,
    `${CANNOT_BE_ROOT} ${obstacle} on the way to this folder: ` +
      'set DYNO_JAVA_HOME or DYNO_ELASTICSEARCH_HOME to one elsewhere, or run Dyno as an ordinary user',
  );
}

/**
 * Adds the missing modules and the plugin to an unpacked distribution. Adds the plugin last, because other processes consider the
 * distribution complete once it has the plugin.
 */
async function complete(
  home: string,
  release: Release,
  java: Java,
  { steps = unfollowed, signal }: Pick<DistributionOptions, 'steps' | 'signal'>,
): Promise<void> {
  const { engine, version } = release;
  const modules = await modulesToAdd(home, addedModules(release));
  if (modules.length > 0) {
    const names = modules.map(({ name }) => name).join(', ');
    const name = nameOf(release);
    if (steps === unfollowed) process.stderr.write(`Adding ${names} to ${name}\n`);
    await steps.carry({ doing: `Adding ${names} to ${name}`, done: `${name} has ${names}` }, async () => {
      for (const module of modules) await addModule(home, module, java, { signal });
    });
  }
  if (!PRODUCTS[engine].needsPlugin || (await hasPlugin(home, version))) return;
  await steps.carry(
    { doing: 'Compiling the plugin for Elasticsearch', done: 'The plugin for Elasticsearch is compiled' },
    () => compilePlugin(home, version, java),
  );
}

/** Resolves to a distribution from Maven Central. */
async function publishedDistribution(
  release: Release,
  folder: string,
  identity: Identity | undefined,
  {
    silent,
    ...following
  }: Pick<DistributionOptions, 'steps' | 'signal' | 'onProgress'> & Pick<JavaOptions, 'silent'>,
): Promise<Distribution> {
  const { engine, version } = release;
  const range = PRODUCTS[engine].javaOf(version);
  const java = await findJava({ folder, silent, engine, range, ...following });
  await checkWay(java.home, identity);
  const home = join(folder, folderOf(release));
  const found = async (): Promise<Distribution> => {
    const ofChecksum = await readFile(noteOf(home), 'utf8').catch(() => '');
    const kind = await kindAt(home);
    const isOdd = engine === 'opensearch' && kind === 'reduced';
    const ofModules = isOdd
      ? `${nameOf(release)} is reduced: it has started without ${LACKED_BY_OPENSEARCH}`
      : '';
    return { ...release, home, java, kind, note: [ofChecksum, ofModules].filter(Boolean).join('; ') };
  };
  if (await isComplete(home, release)) return found();
  try {
    await withFileLock(
      `${home}.lock`,
      async () => {
        if (!(await exists(home))) await unpack(home, release, following);
        following.signal?.throwIfAborted();
        await complete(home, release, java, following);
      },
      () => process.stderr.write(`Waiting for another process that is unpacking ${ENGINE_NAMES[engine]}\n`),
    );
  } catch (error) {
    throw error instanceof DynoError || following.signal?.aborted ? error : asDiskError(error, home);
  }
  return found();
}
