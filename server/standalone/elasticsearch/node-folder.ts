/** One node's folder: its configuration as files, beside its data, logs and temporary files. */
import { chmod, chown, copyFile, lchown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../whole-file';
import type { Identity } from '../processes/supervisor';
import { LOOPBACK } from './ports';

export type Setting = string | number | boolean | readonly string[];
export type Settings = Readonly<Record<string, Setting>>;

export interface NodePlan {
  name: string;
  folder: string;
  clusterName: string;
  httpPort: number;
  transportPort: number;
  /** Of all nodes, this one's included. */
  transportPorts: readonly number[];
  /** As the JVM takes it: `512m`, `1g`. */
  heap: string;
  /** Whether this is the node that founds the cluster; the others wait to be let in. */
  founds: boolean;
  settings: Settings;
}

export const configOf = (folder: string): string => join(folder, 'config');
export const logsOf = (folder: string): string => join(folder, 'logs');
export const temporaryOf = (folder: string): string => join(folder, 'tmp');

/** The settings that make a node one of Dyno's. What they leave out is Elasticsearch's own default, on purpose. */
export function nodeSettings(plan: NodePlan): Settings {
  const { folder, transportPorts, name } = plan;
  const discovery: Settings =
    transportPorts.length === 1
      ? { 'discovery.type': 'single-node' }
      : {
          'discovery.seed_hosts': transportPorts.map((port) => `${LOOPBACK}:${port}`),
          ...(plan.founds ? { 'cluster.initial_master_nodes': [name] } : {}),
        };
  return {
    'cluster.name': plan.clusterName,
    'node.name': name,
    'path.data': join(folder, 'data'),
    'path.logs': logsOf(folder),
    'network.host': LOOPBACK,
    'http.port': plan.httpPort,
    'transport.port': plan.transportPort,
    'xpack.security.enabled': false,
    ...discovery,
    ...plan.settings,
  };
}

/** JSON values are YAML values. */
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
 * Options of the JVM that tests add, so that a node starts with half the work: on one that has them nothing is to be
 * measured.
 */
export const TEST_JVM_OPTIONS = 'DYNO_TEST_JVM_OPTIONS';

/** Heap is the only thing said to the JVM: a target's performance must be that of a stock node. */
export function jvmOptions(heap: string, environment: NodeJS.ProcessEnv = process.env): string {
  const ofTests = (environment[TEST_JVM_OPTIONS] ?? '').split(/\s+/).filter(Boolean);
  return [`-Xms${heap}`, `-Xmx${heap}`, ...ofTests].map((option) => `${option}\n`).join('');
}

/** Writes everything a node needs to start from the distribution in `home`; keeps the data that is there. */
export async function prepareNodeFolder(
  plan: NodePlan,
  home: string,
  identity: Identity | undefined,
): Promise<void> {
  const { folder, heap } = plan;
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
  for (const file of ['jvm.options', 'log4j2.properties']) {
    await copyFile(join(home, 'config', file), join(config, file));
  }
  await writeWhole(join(config, 'jvm.options.d', 'heap.options'), jvmOptions(heap));
  await writeWhole(join(config, 'elasticsearch.yml'), settingsAsYaml(nodeSettings(plan)));
  if (!identity) return;
  // The data can be large and has its owner since the first start, unless an ordinary user made it.
  const whole = (await stat(join(folder, 'data'))).uid !== identity.uid;
  if (whole) await giveTo(folder, identity);
  else {
    await chown(folder, identity.uid, identity.gid);
    for (const part of [config, logsOf(folder), temporaryOf(folder)]) await giveTo(part, identity);
  }
}
