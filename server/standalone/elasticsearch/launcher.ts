/** Starts a node of the distribution directly, without the shell script bin/elasticsearch. */
import { join } from 'node:path';
import type { Distribution } from './distribution';
import { exists } from '../exists';

/** JVM options of the launcher. It keeps running next to the server, but does almost nothing. */
const OPTIONS = ['-Xms4m', '-Xmx64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * Puts temporary files into the node's folder. The launcher and its helper leave a folder `final-flags...` behind at each start, which
 * the next start then removes.
 */
const temporaryFiles = (folder: string): string => `-Djava.io.tmpdir=${folder}`;
const DISTRIBUTION_TYPE = 'zip';
const JAVA_TYPE = 'ES_JAVA_HOME';

export interface Launch {
  command: string[];
  env: Record<string, string>;
}

/** Returns command and environment of the launcher, which starts the server. 8.19 uses the launcher of its command-line tools. */
export async function launchOf(
  { home, java }: Distribution,
  { config, temporary }: { config: string; temporary: string },
): Promise<Launch> {
  const executable = join(java.home, 'bin', 'java');
  const own = join(home, 'lib', 'tools', 'server-launcher');
  const launcher = (await exists(own))
    ? ['-cp', join(own, '*'), 'org.elasticsearch.server.launcher.ServerLauncher']
    : [
        '-Dcli.name=server',
        '-Dcli.script=elasticsearch',
        '-Dcli.libs=lib/tools/server-cli',
        `-Des.path.home=${home}`,
        `-Des.path.conf=${config}`,
        `-Des.distribution.type=${DISTRIBUTION_TYPE}`,
        `-Des.java.type=${JAVA_TYPE}`,
        '-cp',
        [join(home, 'lib', '*'), join(home, 'lib', 'cli-launcher', '*')].join(':'),
        'org.elasticsearch.launcher.CliToolLauncher',
      ];
  // The launcher of 9.5 splits the options of its child process at white space and does not support quotes.
  const ofChild = /\s/.test(temporary) ? OPTIONS : [...OPTIONS, temporaryFiles(temporary)];
  return {
    command: [executable, ...OPTIONS, temporaryFiles(temporary), ...launcher],
    env: {
      JAVA: executable,
      JAVA_TYPE,
      ES_HOME: home,
      ES_JAVA_HOME: java.home,
      ES_PATH_CONF: config,
      ES_TMPDIR: temporary,
      ES_DISTRIBUTION_TYPE: DISTRIBUTION_TYPE,
      CLI_JAVA_OPTS: ofChild.join(' '),
    },
  };
}
