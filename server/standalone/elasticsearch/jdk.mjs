// @ts-check
// Searches for a JDK that an engine runs on, with the compiler for Dyno's plugin. This file is JavaScript and imports only
// modules of Node.js, because `npm test` checks for a JDK before any package is installed.
import { constants } from 'node:fs';
import { access, readdir, readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

/** @typedef {{ oldest: number, newest?: number }} JavaRange Feature releases of Java that can be used. */

/**
 * Releases for Elasticsearch, and for OpenSearch 3 and later.
 * @type {JavaRange}
 */
export const RECENT_JAVA = { oldest: 21 };

/**
 * Describes the releases of a range: `21 or later`, `11 to 23`.
 * @type {(range: JavaRange) => string}
 */
export const describeRange = ({ oldest, newest }) =>
  newest === undefined ? `${oldest} or later` : `${oldest} to ${newest}`;

/** The newest release of Java on which Elasticsearch 9.5 is known to run. Later releases are used only if there is no other. */
const NEWEST_KNOWN_RELEASE = 25;

/** Folders in which system packages install JDKs on Linux and macOS. */
export const SYSTEM_FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines'];

/** @typedef {{ home: string, release: number }} Jdk Folder of a JDK and its feature release, such as 21. */

/**
 * Returns whether the file can be executed.
 * @type {(file: string) => Promise<boolean>}
 */
const isExecutable = (file) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/**
 * Returns the feature release: 25 for `25.0.3`, 8 for `1.8.0_392`, 21 for `21-ea`.
 * @type {(version: string) => number}
 */
export function releaseOf(version) {
  const [first, second] = version.split(/[.\-+_]/);
  return Number(first === '1' ? second : first);
}

/**
 * Returns the JDK in a folder, or the reason why Dyno cannot use it.
 * @type {(home: string, range: JavaRange) => Promise<Jdk | string>}
 */
async function inspect(home, range) {
  if (!(await isExecutable(join(home, 'bin', 'java')))) return 'has no bin/java';
  const facts = await readFile(join(home, 'release'), 'utf8').catch(() => '');
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(facts)?.[1];
  if (version === undefined) return 'has no "release" file with its version';
  const release = releaseOf(version);
  const { oldest, newest = Infinity } = range;
  if (!(release >= oldest && release <= newest))
    return `is Java ${version}, ${describeRange(range)} is needed`;
  if (!(await isExecutable(join(home, 'bin', 'javac')))) return `is a Java ${version} without javac (a JRE)`;
  return { home, release };
}

/**
 * Sorts the newest release first, among those up to {@link NEWEST_KNOWN_RELEASE}. Newer releases follow in ascending order.
 * @type {(a: Jdk, b: Jdk) => number}
 */
function byPreference(a, b) {
  /**
   * Returns 1 for a release up to {@link NEWEST_KNOWN_RELEASE}, otherwise 0.
   * @type {(jdk: Jdk) => number}
   */
  const known = ({ release }) => (release <= NEWEST_KNOWN_RELEASE ? 1 : 0);
  return known(b) - known(a) || (known(a) ? b.release - a.release : a.release - b.release);
}

/**
 * Returns the folders in which system packages may have installed a JDK.
 * @type {(folders: readonly string[]) => Promise<string[]>}
 */
async function systemHomes(folders) {
  const homes = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.sort().flatMap((name) => [join(folder, name), join(folder, name, 'Contents', 'Home')]);
    }),
  );
  return homes.flat();
}

/**
 * Returns a list with the folder of the first JDK or JRE on the `PATH`. The list is empty if the `PATH` contains no Java.
 * @type {(path: string) => Promise<string[]>}
 */
async function homeOnPath(path) {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const java = join(folder, 'java');
    if (await isExecutable(java)) return [dirname(dirname(await realpath(java)))];
  }
  return [];
}

/**
 * Returns the JDK to use. Tries `DYNO_JAVA_HOME` (if set, no other is tried), then `JAVA_HOME`, then the JDKs in the folders of the system,
 * the best one first, then the JDK on the `PATH`. If no JDK can be used, returns `<folder> <reason>` for each checked folder.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @param {readonly string[]} [systemFolders]
 * @param {JavaRange} [range]
 * @returns {Promise<Jdk | { unfit: string[] }>}
 */
export async function lookForJdk(environment, systemFolders = SYSTEM_FOLDERS, range = RECENT_JAVA) {
  const { DYNO_JAVA_HOME, JAVA_HOME, PATH = '' } = environment;
  if (DYNO_JAVA_HOME) {
    const found = await inspect(DYNO_JAVA_HOME, range);
    return typeof found === 'string' ? { unfit: [`${DYNO_JAVA_HOME} ${found}`] } : found;
  }
  /**
   * Folders with a JDK that cannot be used, each followed by the reason.
   * @type {Set<string>}
   */
  const unfit = new Set();
  for (const homes of [
    JAVA_HOME ? [JAVA_HOME] : [],
    await systemHomes(systemFolders),
    await homeOnPath(PATH),
  ]) {
    const found = await Promise.all(homes.map((home) => inspect(home, range)));
    found.forEach((jdk, i) => {
      if (typeof jdk === 'string' && jdk !== 'has no bin/java') unfit.add(`${homes[i]} ${jdk}`);
    });
    const [best] = found.filter((jdk) => typeof jdk !== 'string').sort(byPreference);
    if (best) return best;
  }
  return { unfit: [...unfit] };
}
