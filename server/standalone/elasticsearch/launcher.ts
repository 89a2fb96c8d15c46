/** Starts a node directly, without the shell scripts bin/elasticsearch and bin/opensearch. */
import { execFile } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENGINE_NAMES } from '../../../common/elasticsearch/engine';
import { messageOf } from '../../../common/problem';
import type { Identity } from '../processes/supervisor';
import { explainFailure } from './failure';
import type { Java } from './java';
import { configOf, temporaryOf } from './node-folder';
import { exists } from '../exists';

const run = promisify(execFile);

/** JVM options of the launcher. The launcher keeps running next to the server, but does almost nothing. */
const OPTIONS = ['-Xms4m', '-Xmx64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * Returns the JVM option that makes the launcher put temporary files into the folder `folder` of the node. The launcher creates a folder
 * `final-flags...` there and does not remove it. Dyno removes it at the next start of the node.
 */
const temporaryFiles = (folder: string): string => `-Djava.io.tmpdir=${folder}`;
const DISTRIBUTION_TYPE = 'zip';
const JAVA_TYPE = 'ES_JAVA_HOME';

export interface Launch {
  command: string[];
  /** Working directory of the process. */
  cwd: string;
  env: Record<string, string>;
}

/**
 * Returns the command, the environment and the working directory with which a node is started. `folder`: folder of the node, which belongs
 * to the user `identity`. Rejects with a DynoError.
 */
export type Launcher = (
  distribution: { home: string; java: Java },
  folder: string,
  identity?: Identity,
) => Promise<Launch>;

/**
 * Returns how to start Elasticsearch's launcher, a Java program that then starts the server. Elasticsearch 8.19 has no such program; there,
 * the launcher of the command-line tools starts the server.
 */
export const launchOfElasticsearch: Launcher = async ({ home, java }, folder) => {
  const config = configOf(folder);
  const temporary = temporaryOf(folder);
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
    // The launcher searches `modules` in its working directory.
    cwd: home,
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
};

/**
 * Name of the folder with the Java agent that OpenSearch 3 and later need. The JVM options contain its path relative to the working
 * directory.
 */
const AGENT = 'agent';

/**
 * Returns how to start OpenSearch's server. OpenSearch's own parser computes the JVM options from jvm.options, as in bin/opensearch. These
 * options contain relative paths for logs and heap dumps. The working directory is therefore the folder of the node.
 */
export const launchOfOpenSearch: Launcher = async ({ home, java }, folder, identity) => {
  const executable = join(java.home, 'bin', 'java');
  const config = configOf(folder);
  const libraries = join(home, 'lib', '*');
  await rm(join(folder, AGENT), { force: true });
  if (await exists(join(home, AGENT))) await symlink(join(home, AGENT), join(folder, AGENT));
  const env = { OPENSEARCH_PATH_CONF: config, OPENSEARCH_TMPDIR: temporaryOf(folder) };
  const parser = ['-cp', libraries, 'org.opensearch.tools.launchers.JvmOptionsParser', config];
  const options = await run(executable, parser, {
    cwd: folder,
    // The parser separates options by spaces, so it gets a path without spaces.
    env: { ...env, OPENSEARCH_TMPDIR: '.' },
    ...identity,
  }).catch((error: unknown) => {
    const output = (error as { stderr?: string }).stderr || messageOf(error);
    throw explainFailure(
      output,
      folder,
      `${ENGINE_NAMES.opensearch} cannot compute its JVM options`,
      'opensearch',
    );
  });
  return {
    cwd: folder,
    command: [
      executable,
      ...options.stdout.trim().split(/\s+/),
      temporaryFiles(temporaryOf(folder)),
      `-Dopensearch.path.home=${home}`,
      `-Dopensearch.path.conf=${config}`,
      `-Dopensearch.distribution.type=${DISTRIBUTION_TYPE}`,
      '-Dopensearch.bundled_jdk=false',
      '-cp',
      libraries,
      'org.opensearch.bootstrap.OpenSearch',
    ],
    env,
  };
};
