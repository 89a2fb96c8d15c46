/** Finds a JDK for Elasticsearch on this machine, or downloads one. */
import { join } from 'node:path';
import { ENGINE_NAMES, type Engine } from '../../../common/elasticsearch/engine';
import { inputError, runError } from '../../../common/problem';
import { isReachable } from '../downloads/download';
import type { DownloadFollowing } from '../downloads/maven-artifact';
import { downloadTemurin, temurinFor } from '../downloads/temurin';
import { unfollowed, type Steps } from '../start/steps';
import { describeRange, lookForJdk, RECENT_JAVA, releaseOf, SYSTEM_FOLDERS, type JavaRange } from './jdk.mjs';
import { exists } from '../exists';

export interface Java {
  home: string;
  /** Feature release of the JDK, such as 21 or 25. */
  release: number;
}

const howToGetOne = (range: JavaRange): string =>
  `Install a JDK ${describeRange(range)}, for instance "apt-get install openjdk-21-jdk-headless" (Debian 13, Ubuntu 24.04) or ` +
  'a Temurin JDK. If Dyno does not find it, set DYNO_JAVA_HOME to its folder';

export interface JavaOptions extends DownloadFollowing {
  /** Engine that error messages name. Default: Elasticsearch. */
  engine?: Engine;
  /**
   * Releases of Java on which the engine runs. Default: the releases for Elasticsearch. They must include the release that Dyno downloads.
   */
  range?: JavaRange;
  /** Folder in which a downloaded JDK is stored. */
  folder: string;
  /**
   * URL of the artifact server, if it did not respond when Dyno tried to download an Elasticsearch that contains a JDK. The error about a
   * missing JDK then names this server.
   */
  silent?: string;
  /** Receives the download as a step. If undefined, the progress is printed on stderr. */
  steps?: Steps;
  environment?: NodeJS.ProcessEnv;
  systemFolders?: readonly string[];
}

/**
 * Resolves to the JDK that {@link lookForJdk} finds. If it finds none, downloads Temurin. Rejects with a DynoError `java.unfit` or
 * `java.missing`, or with the errors of {@link downloadTemurin}. The DynoError lists the checked folders and explains how to get a JDK.
 */
export async function findJava({
  engine = 'elasticsearch',
  range = RECENT_JAVA,
  folder,
  silent,
  steps = unfollowed,
  environment = process.env,
  systemFolders = SYSTEM_FOLDERS,
  ...following
}: JavaOptions): Promise<Java> {
  const found = await lookForJdk(environment, systemFolders, range);
  if (!('unfit' in found)) return found;
  const { unfit } = found;
  if (environment['DYNO_JAVA_HOME']) {
    throw inputError('java.unfit', 'DYNO_JAVA_HOME', `${unfit.join('; ')}. ${howToGetOne(range)}`);
  }
  const temurin = temurinFor(environment);
  const seen = unfit.length > 0 ? `: ${unfit.join('; ')}` : '';
  const lack = `${ENGINE_NAMES[engine]} needs a JDK, and no suitable one was found${seen}`;
  if (temurin === undefined) throw runError('java.missing', '', `${lack}. ${howToGetOne(range)}`);
  const home = join(folder, temurin.home);
  const java = { home, release: releaseOf(temurin.name.replace('jdk-', '')) };
  if (await exists(home)) return java;
  if (!(await isReachable(temurin.url, following.signal))) {
    const { origin } = new URL(temurin.url);
    throw runError(
      'java.missing',
      '',
      silent === undefined
        ? `${lack}, and ${origin}, which offers one, does not answer. ${howToGetOne(range)}`
        : `${lack}, and neither ${silent} nor ${origin}, which offer one, answers. ${howToGetOne(range)}`,
    );
  }
  const name = `Java ${java.release} (Temurin)`;
  await steps.carry({ doing: `Downloading ${name}`, done: `${name} is downloaded` }, (onProgress) =>
    downloadTemurin(temurin, folder, onProgress ? { ...following, onProgress } : following),
  );
  return java;
}
