/** Finds the JDK that Elasticsearch runs on: 21 or later, with the compiler for Dyno's plugin. */
import { constants } from 'node:fs';
import { access, readdir, readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { inputError, runError } from '../../../common/problem';

export interface Java {
  home: string;
  /** The feature release: 21, 25. */
  release: number;
}

const OLDEST_RELEASE = 21;
/** The newest that Elasticsearch 9.5 is known to run on; later ones are taken only if there is nothing else. */
const NEWEST_KNOWN_RELEASE = 25;

/** Where system packages put JDKs: Linux, macOS. */
const SYSTEM_FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines'];

const HOW_TO_GET_ONE =
  'Install a JDK 21 or later, for instance "apt-get install openjdk-21-jdk-headless" (Debian 13, Ubuntu 24.04) or ' +
  'a Temurin JDK, and let DYNO_JAVA_HOME name its folder if it is not found by itself';

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** `25.0.3` -> 25, `1.8.0_392` -> 8, `21-ea` -> 21. */
export function releaseOf(version: string): number {
  const [first, second] = version.split(/[.\-+_]/);
  return Number(first === '1' ? second : first);
}

/** What is wrong with a folder as Dyno's JDK, or the JDK that it is. */
async function inspect(home: string): Promise<Java | string> {
  if (!(await isExecutable(join(home, 'bin', 'java')))) return 'has no bin/java';
  const facts = await readFile(join(home, 'release'), 'utf8').catch(() => '');
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(facts)?.[1];
  if (version === undefined) return 'has no "release" file that tells its version';
  const release = releaseOf(version);
  if (!(release >= OLDEST_RELEASE)) return `is Java ${version}, ${OLDEST_RELEASE} or later is needed`;
  if (!(await isExecutable(join(home, 'bin', 'javac')))) return `is a Java ${version} without javac (a JRE)`;
  return { home, release };
}

/** Known releases first, the newest of them first. */
export function byPreference(a: Java, b: Java): number {
  const known = ({ release }: Java): number => (release <= NEWEST_KNOWN_RELEASE ? 1 : 0);
  return known(b) - known(a) || (known(a) ? b.release - a.release : a.release - b.release);
}

async function systemHomes(folders: readonly string[]): Promise<string[]> {
  const homes = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.sort().flatMap((name) => [join(folder, name), join(folder, name, 'Contents', 'Home')]);
    }),
  );
  return homes.flat();
}

async function homeOnPath(path: string): Promise<string[]> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const java = join(folder, 'java');
    if (await isExecutable(java)) return [dirname(dirname(await realpath(java)))];
  }
  return [];
}

/**
 * The JDK to use: `DYNO_JAVA_HOME` (which must fit if it is set), `JAVA_HOME`, the best of the system's, the one on the
 * `PATH`. Rejects with a DynoError `java.unfit` or `java.missing` that says what was looked at and how to get one.
 */
export async function findJava(
  environment: NodeJS.ProcessEnv = process.env,
  systemFolders: readonly string[] = SYSTEM_FOLDERS,
): Promise<Java> {
  const { DYNO_JAVA_HOME, JAVA_HOME, PATH = '' } = environment;
  if (DYNO_JAVA_HOME) {
    const found = await inspect(DYNO_JAVA_HOME);
    if (typeof found !== 'string') return found;
    throw inputError('java.unfit', 'DYNO_JAVA_HOME', `${DYNO_JAVA_HOME} ${found}. ${HOW_TO_GET_ONE}`);
  }
  const rejected: string[] = [];
  for (const homes of [
    JAVA_HOME ? [JAVA_HOME] : [],
    await systemHomes(systemFolders),
    await homeOnPath(PATH),
  ]) {
    const found = await Promise.all(homes.map(inspect));
    found.forEach((java, i) => {
      if (typeof java === 'string' && java !== 'has no bin/java') rejected.push(`${homes[i]} ${java}`);
    });
    const [best] = found.filter((java) => typeof java !== 'string').sort(byPreference);
    if (best) return best;
  }
  const seen = rejected.length > 0 ? `: ${[...new Set(rejected)].join('; ')}` : '';
  throw runError('java.missing', '', `Elasticsearch needs a JDK, and none fits${seen}. ${HOW_TO_GET_ONE}`);
}
