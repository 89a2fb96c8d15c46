/**
 * Starts an OpenSearch with its security plugin, TLS and the plugin's demo users. Uses OpenSearch 3.4.0, the newest version whose security
 * plugin Maven Central listed when this file was written.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { mavenArtifact, type PinnedArtifact } from '../../../server/standalone/downloads/maven-artifact';
import { withFileLock } from '../../../server/standalone/downloads/file-lock';
import { consoleLogOf, readConsoleLog } from '../../../server/standalone/elasticsearch/failure';
import { distributionFolder, ephemeralFolder } from '../../../server/standalone/elasticsearch/folders';
import { serverIdentity } from '../../../server/standalone/elasticsearch/identity';
import { findJava } from '../../../server/standalone/elasticsearch/java';
import { withExtended } from '../../../server/standalone/elasticsearch/modules/add';
import {
  configOf,
  folderOfNode,
  prepareNodeFolder,
  type NodePlan,
} from '../../../server/standalone/elasticsearch/node-folder';
import { freePorts, LOOPBACK } from '../../../server/standalone/elasticsearch/ports';
import { PRODUCTS } from '../../../server/standalone/elasticsearch/products';
import { unzip } from '../../../server/standalone/elasticsearch/unzip';
import { exists } from '../../../server/standalone/exists';
import { startServer } from '../../../server/standalone/processes/supervisor';
import { Connection } from '../../../server/target-cluster/connection';
import { until } from '../../support/until';

export const VERSION = '3.4.0';

const START_TIMEOUT_MS = 180_000;

const SERVER: PinnedArtifact = {
  ...{ groupId: 'org.opensearch.distribution.integ-test-zip', artifactId: 'opensearch', extension: 'zip' },
  version: VERSION,
  sha512:
    '18cb16a9d251f8e915fbc0ab64b53d2f1ee9299829673c7357446041ae42fe20' +
    '94ab16c899edd944bd39aa49ed3aae799b1ff04084a1220d6c6676734a392117',
};
const PLUGIN: PinnedArtifact = {
  ...{ groupId: 'org.opensearch.plugin', artifactId: 'opensearch-security', extension: 'zip' },
  version: `${VERSION}.0`,
  sha512:
    'aad7c7fb11d17fe6866d93b05a2d3eb581d43c29bd4455371943efe5cfe2f6b0' +
    'c6003597e45e2dd8b676fe4f88d677e24b055207ab5d6cfc7bb57a45a608b09a',
};
/** Library of a module that the plugin extends. The published server lacks this module; the plugin does not need the rest of it. */
const LIBRARY: PinnedArtifact = {
  ...{ groupId: 'org.apache.commons', artifactId: 'commons-collections4', extension: 'jar' },
  version: '4.5.0',
  sha512:
    'ee43c513ac9dcbd7dd23b5cbb4ea5f65a2e10cdfbb403d080b87e778b3b45062' +
    '315522297c41eca514a9a946228ad7650f0a572d5b78effb8260dd8084131988',
};

const CA = 'certificate.pem';

const pluginOf = (home: string): string => path.join(home, 'plugins', PLUGIN.artifactId);

/** Returns the folder with the server and the plugin. Downloads and unpacks both if they are not in the cache. */
async function install(folder: string): Promise<string> {
  const home = path.join(folder, `opensearch-${VERSION}-with-${PLUGIN.artifactId}`);
  if (await exists(home)) return home;
  await withFileLock(
    `${home}.lock`,
    async () => {
      if (await exists(home)) return;
      const building = `${home}.building`;
      await rm(building, { recursive: true, force: true });
      await unzip(await mavenArtifact(SERVER), building);
      const unpacked = path.join(building, `opensearch-${VERSION}`);
      await unzip(await mavenArtifact(PLUGIN), pluginOf(unpacked));
      const library = path.join(pluginOf(unpacked), `${LIBRARY.artifactId}.jar`);
      await copyFile(await mavenArtifact(LIBRARY), library);
      await chmod(library, 0o644);
      const descriptor = path.join(pluginOf(unpacked), 'plugin-descriptor.properties');
      writeFileSync(descriptor, withExtended(readFileSync(descriptor, 'utf8'), []));
      await rename(unpacked, home);
      await rm(building, { recursive: true });
    },
    () => undefined,
  );
  return home;
}

const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=node';

/** Creates a self-signed certificate and its key in the folder. The certificate is also its own authority. */
function makeCertificate(folder: string): void {
  const names = ['-addext', `subjectAltName=IP:${LOOPBACK}`];
  const args = [...CERTIFICATE.split(' '), ...names, '-keyout', 'key.pem', '-out', CA];
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

const tls = (layer: 'http' | 'transport'): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ pemcert: CA, pemkey: 'key.pem', pemtrustedcas: CA }).map(([name, file]) => [
      `plugins.security.ssl.${layer}.${name}_filepath`,
      file,
    ]),
  );

const SETTINGS = {
  ...tls('http'),
  ...tls('transport'),
  'plugins.security.ssl.http.enabled': true,
  'plugins.security.nodes_dn': ['CN=node'],
  'plugins.security.allow_default_init_securityindex': true,
  'plugins.security.restapi.roles_enabled': ['all_access'],
};

export interface SecuredOpenSearch {
  /** URL without credentials. */
  url: string;
  /** Path of the file with the certificate authority. */
  ca: string;
  /** Connects as a user. Passwords are those of the plugin's demo configuration or of users that the test has created. */
  as(user: string, password: string): Connection;
  stop(): Promise<void>;
}

/** Resolves when OpenSearch answers the administrator of the demo configuration, `admin`. */
export async function startSecuredOpenSearch(): Promise<SecuredOpenSearch> {
  const identity = serverIdentity();
  const cache = await distributionFolder(identity);
  const [home, java] = [await install(cache), await findJava({ folder: cache, engine: 'opensearch' })];
  const root = await ephemeralFolder(identity);
  const [httpPort, transportPort] = (await freePorts(2)) as [number, number];
  const folder = folderOfNode(root, 'dyno-1');
  const plan: NodePlan = {
    ...{ product: PRODUCTS.opensearch, name: 'dyno-1', folder, clusterName: 'secured', heap: '512m' },
    ...{ httpPort, transportPort, transportPorts: [transportPort], founds: true, settings: SETTINGS },
  };
  const config = configOf(folder);
  mkdirSync(config, { recursive: true });
  cpSync(path.join(pluginOf(home), 'config'), path.join(config, PLUGIN.artifactId), { recursive: true });
  makeCertificate(config);
  await prepareNodeFolder(plan, home, identity);
  const { command, cwd, env } = await PRODUCTS.opensearch.launch({ home, java }, folder, identity);
  const server = await startServer({
    ...{ command, cwd, identity, graceS: 20, logFile: consoleLogOf(folder) },
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const url = `https://${LOOPBACK}:${httpPort}`;
  const ca = path.join(config, CA);
  const as = (user: string, password: string): Connection => {
    const { host } = new URL(url);
    return new Connection({
      hosts: [`https://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}`],
      ca: readFileSync(ca, 'utf8'),
    });
  };
  const administrator = as('admin', 'admin');
  const answers = (): Promise<boolean> =>
    administrator.request({ method: 'GET', path: '/_cluster/health' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  try {
    await until('OpenSearch has started', () => server.exited || answers(), START_TIMEOUT_MS);
    if (server.exited) throw new Error(await readConsoleLog(folder));
  } catch (error) {
    await server.kill();
    throw error;
  } finally {
    await administrator.close();
  }
  return {
    ...{ url, ca, as },
    async stop() {
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
