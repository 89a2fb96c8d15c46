/** The folder of one node: configuration, data, logs and temporary files. */
import { chmod, chown, copyFile, lchown, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../whole-file';
import type { Identity } from '../processes/supervisor';
import { LOOPBACK } from './ports';

export type Setting = string | number | boolean | readonly string[];
export type Settings = Readonly<Record<string, Setting>>;

/** Describes how the nodes of an engine are configured. */
export interface NodeConfiguration {
  /** Name of the file with the settings of a node. */
  settingsFile: string;
  /** Settings that every node needs. */
  settings: Settings;
  /** Name of the setting that lists the nodes which bootstrap a new cluster. */
  foundersSetting: string;
  /**
   * Whether a node needs the folder of the distribution as its working directory. If false, its working directory is the folder of the
   * node.
   */
  worksInHome: boolean;
}

export interface NodePlan {
  product: NodeConfiguration;
  name: string;
  folder: string;
  clusterName: string;
  httpPort: number;
  transportPort: number;
  /** Transport ports of all nodes, including this one. */
  transportPorts: readonly number[];
  /** Heap size in the format of the JVM, such as `512m`. */
  heap: string;
  /** Whether this node bootstraps a new cluster. The other nodes join the cluster. */
  founds: boolean;
  settings: Settings;
}

export const configOf = (folder: string): string => join(folder, 'config');
export const logsOf = (folder: string): string => join(folder, 'logs');
export const temporaryOf = (folder: string): string => join(folder, 'tmp');

/** Returns the name of a node. `number`: 1 for the first node. */
export const nodeName = (number: number): string => `dyno-${number}`;

/** Returns the folder of the node with this name in the data folder of its cluster. */
export const folderOfNode = (dataFolder: string, name: string): string =>
  join(dataFolder, name.replace(/^dyno-/, 'node-'));

/** Returns the settings of a node. Every setting that is missing here keeps the default of the engine. */
export function nodeSettings(plan: NodePlan): Settings {
  const { product, folder, transportPorts, name } = plan;
  const discovery: Settings =
    transportPorts.length === 1
      ? { 'discovery.type': 'single-node' }
      : {
          'discovery.seed_hosts': transportPorts.map((port) => `${LOOPBACK}:${port}`),
          ...(plan.founds ? { [product.foundersSetting]: [name] } : {}),
        };
  return {
    'cluster.name': plan.clusterName,
    'node.name': name,
    'path.data': join(folder, 'data'),
    'path.logs': logsOf(folder),
    'network.host': LOOPBACK,
    'http.port': plan.httpPort,
    'transport.port': plan.transportPort,
    ...product.settings,
    ...discovery,
    ...plan.settings,
  };
}

/** Formats settings as YAML. JSON values are valid YAML. */
export const settingsAsYaml = (settings: Settings): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');

async function giveTo(path: string, { uid, gid }: Identity): Promise<void> {
  await lchown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await giveTo(child, { uid, gid });
    else await lchown(child, uid, gid);
  }
}

/**
 * Name of the environment variable with additional JVM options for tests. These options halve the CPU time of a node's start. A node with
 * these options must not be measured.
 */
export const TEST_JVM_OPTIONS = 'DYNO_TEST_JVM_OPTIONS';

/**
 * Returns the JVM options of a node. Only the heap size is set, because the target must be as fast as an unmodified node. The other option lets Dyno load
 * a profiler without a warning in the log of the node, and has no effect otherwise.
 */
export function jvmOptions(heap: string, environment: NodeJS.ProcessEnv = process.env): string {
  const ofTests = (environment[TEST_JVM_OPTIONS] ?? '').split(/\s+/).filter(Boolean);
  return [`-Xms${heap}`, `-Xmx${heap}`, '-XX:+EnableDynamicAgentLoading', ...ofTests]
    .map((option) => `${option}\n`)
    .join('');
}

/**
 * Returns the content of jvm.options with absolute paths for logs and heap dumps in the folder of the node. Elasticsearch before 8.13 has
 * relative paths there. These paths would lead into the distribution, where nodes may not write.
 */
export const withLogsIn = (folder: string, options: string): string =>
  options
    .replace(/=logs\//g, `=${logsOf(folder)}/`)
    .replace(/^(-XX:HeapDumpPath=)data$/m, `$1${join(folder, 'data')}`);

/** Writes all files that a node needs to start from the distribution in `home`. Keeps existing data. */
export async function prepareNodeFolder(
  plan: NodePlan,
  home: string,
  identity: Identity | undefined,
): Promise<void> {
  const { product, folder, heap } = plan;
  const config = configOf(folder);
  const isNew = await mkdir(folder, { recursive: true });
  if (isNew !== undefined) await chmod(folder, 0o700);
  await rm(temporaryOf(folder), { recursive: true, force: true });
  for (const part of [
    join(config, 'jvm.options.d'),
    join(folder, 'data'),
    logsOf(folder),
    temporaryOf(folder),
  ]) {
    await mkdir(part, { recursive: true });
  }
  await copyFile(join(home, 'config', 'log4j2.properties'), join(config, 'log4j2.properties'));
  const options = await readFile(join(home, 'config', 'jvm.options'), 'utf8');
  await writeWhole(join(config, 'jvm.options'), product.worksInHome ? withLogsIn(folder, options) : options);
  await writeWhole(join(config, 'jvm.options.d', 'heap.options'), jvmOptions(heap));
  await writeWhole(join(config, product.settingsFile), settingsAsYaml(nodeSettings(plan)));
  if (!identity) return;
  // Changes the owner of the data only if it is wrong, because there may be many files.
  const whole = (await stat(join(folder, 'data'))).uid !== identity.uid;
  if (whole) await giveTo(folder, identity);
  else {
    await chown(folder, identity.uid, identity.gid);
    for (const part of [config, logsOf(folder), temporaryOf(folder)]) await giveTo(part, identity);
  }
}
