/** How the distribution starts a node, without the shell of bin/elasticsearch. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Distribution } from './distribution';

/** Of the launcher only, which lives beside the server and does next to nothing. */
const OPTIONS = ['-Xms4m', '-Xmx64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * The launcher, and what it starts to make the server's options, leave a folder `final-flags...` behind at each start: it
 * belongs to the node's temporary files, which the next start removes.
 */
const temporaryFiles = (folder: string): string => `-Djava.io.tmpdir=${folder}`;
const DISTRIBUTION_TYPE = 'zip';
const JAVA_TYPE = 'ES_JAVA_HOME';

export interface Launch {
  command: string[];
  env: Record<string, string>;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The launcher makes the JVM's options and starts the server; 8.19 does so by the launcher of its command-line tools. */
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
  // The launcher of 9.5 splits what is meant for its child at white space, and knows no quotes.
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
