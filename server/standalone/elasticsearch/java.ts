/** The JDK that Elasticsearch runs on, or a problem that says how to get one. */
import { inputError, runError } from '../../../common/problem';
import { lookForJdk, OLDEST_RELEASE, SYSTEM_FOLDERS } from './jdk.mjs';

export interface Java {
  home: string;
  /** The feature release: 21, 25. */
  release: number;
}

const HOW_TO_GET_ONE =
  `Install a JDK ${OLDEST_RELEASE} or later, for instance "apt-get install openjdk-21-jdk-headless" (Debian 13, Ubuntu 24.04) or ` +
  'a Temurin JDK, and let DYNO_JAVA_HOME name its folder if it is not found by itself';

/**
 * See {@link lookForJdk} for where it is sought. Rejects with a DynoError `java.unfit` or `java.missing` that says what
 * was looked at and how to get one.
 */
export async function findJava(
  environment: NodeJS.ProcessEnv = process.env,
  systemFolders: readonly string[] = SYSTEM_FOLDERS,
): Promise<Java> {
  const found = await lookForJdk(environment, systemFolders);
  if (!('unfit' in found)) return found;
  const { unfit } = found;
  if (environment['DYNO_JAVA_HOME']) {
    throw inputError('java.unfit', 'DYNO_JAVA_HOME', `${unfit.join('; ')}. ${HOW_TO_GET_ONE}`);
  }
  const seen = unfit.length > 0 ? `: ${unfit.join('; ')}` : '';
  throw runError('java.missing', '', `Elasticsearch needs a JDK, and none fits${seen}. ${HOW_TO_GET_ONE}`);
}
