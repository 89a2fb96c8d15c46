/** Plugins that Dyno adds to a copy of a distribution, for definitions that need them. */
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../../../common/elasticsearch/engine';
import { mavenArtifact, type DownloadFollowing, type PinnedArtifact } from '../downloads/maven-artifact';
import { exists } from '../exists';
import { withFileLock } from '../downloads/file-lock';
import { unzip } from './unzip';

const knn = (version: string, sha512: string): PinnedArtifact => ({
  groupId: 'org.opensearch.plugin',
  artifactId: 'opensearch-knn',
  extension: 'zip',
  version,
  sha512,
});

/**
 * Archives of plugins by engine, version of the engine, and name of the plugin. Maven Central has no checksums of these archives. All
 * checksums are therefore listed here.
 */
const ARCHIVES: Readonly<Record<Engine, Readonly<Record<string, Readonly<Record<string, PinnedArtifact>>>>>> =
  {
    elasticsearch: {},
    opensearch: {
      '3.6.0': {
        'opensearch-knn': knn(
          '3.6.0.0',
          'fc5152c44729e636e0efc31c97f339f18bc8401376f1ac0a404016b654ff5372c2af01b37d537f234e9c132c0c39d576f02afc5da2bc0c38fa0c82c2cb47bb42',
        ),
      },
      '2.19.6': {
        'opensearch-knn': knn(
          '2.19.6.0',
          'ea8679cd108937b1d62c1466391db2d1f34ffe003844c4b17040284dd824ecee3d3df377084a1b570278abcf4dc74560b3ea93a14839a660e7dd2524bdf59efc',
        ),
      },
    },
  };

/** Returns the names of the plugins that Dyno can add to a version of an engine. */
export const knownPlugins = (engine: Engine, version: string): string[] =>
  Object.keys(ARCHIVES[engine][version] ?? {});

/** Copies a folder. Uses hard links, which need no disk space, and copies a file where a link is impossible. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
}

export interface PluginOptions extends DownloadFollowing {
  engine: Engine;
  version: string;
  /** Names of the plugins; all must be among {@link knownPlugins}. */
  plugins: readonly string[];
}

/**
 * Resolves to the folder of a copy of the distribution in `home` with the plugins. Creates the copy if it does not exist. Rejects as {@link
 * mavenArtifact} does, and with errors of the file system.
 */
export async function withPlugins(
  home: string,
  { engine, version, plugins, ...following }: PluginOptions,
): Promise<string> {
  // OpenSearch 3 decodes the path as a URL, so the name may not contain characters such as `+`.
  const copy = [home, ...plugins].join('-with-');
  if (await exists(copy)) return copy;
  await withFileLock(
    `${copy}.lock`,
    async () => {
      if (await exists(copy)) return;
      const building = `${copy}.building`;
      await rm(building, { recursive: true, force: true });
      await copyTree(home, building);
      for (const name of plugins) {
        const zip = await mavenArtifact(ARCHIVES[engine][version]![name]!, following);
        await unzip(zip, join(building, 'plugins', name));
      }
      await rename(building, copy);
    },
    () => process.stderr.write(`Waiting for another process that adds ${plugins.join(' and ')}\n`),
  );
  return copy;
}
