/**
 * Starts a complete OpenSearch, whose ingest pipelines and Painless the published Elasticsearch lacks, and a proxy that presents it as
 * an Elasticsearch, because Dyno refuses OpenSearch. Bulk responses of both have the same format.
 */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { mavenArtifact } from '../../../server/standalone/downloads/maven-artifact';
import { unpackOnce } from '../../../server/standalone/downloads/unpack-once';
import { distributionFolder, ephemeralFolder } from '../../../server/standalone/elasticsearch/folders';
import { serverIdentity } from '../../../server/standalone/elasticsearch/identity';
import { findJava } from '../../../server/standalone/elasticsearch/java';
import { freePorts } from '../../../server/standalone/elasticsearch/ports';
import { unzip } from '../../../server/standalone/elasticsearch/unzip';
import { startServer, type Identity } from '../../../server/standalone/processes/supervisor';

const VERSION = '3.6.0';
const ARTIFACT = {
  groupId: 'org.opensearch.distribution.integ-test-zip',
  artifactId: 'opensearch',
  version: VERSION,
  extension: 'zip',
  sha512:
    'b82066a97902879c47e26608848d068c09e74d2128edee2802e622867abd451d' +
    '34a366acc6519d0b40fc97acc89d61c5bb330ab8b2086cf6ffa0f9fe4b9acaa4',
};

/** Time limit for the first start of OpenSearch on a busy machine, with its download, in ms. */
export const START_TIMEOUT_MS = 400_000;
const GRACE_S = 10;
/** Matches JVM options that write files to the folder of the distribution, which is read-only for the user nobody. */
const INTO_ITS_HOME = /^.*(?:logs\/|HeapDump).*$/gm;

/** Version of Elasticsearch that the proxy reports. */
const PRESENTED_AS = '9.5.3';

/** Downloads and unpacks it once, next to the embedded Elasticsearch. */
async function distribution(identity: Identity | undefined): Promise<string> {
  return await unpackOnce({
    home: join(await distributionFolder(identity), `opensearch-${VERSION}`),
    root: `opensearch-${VERSION}`,
    download: () => mavenArtifact(ARTIFACT),
    unpack: unzip,
  });
}

export interface OpenSearch {
  /** URL of OpenSearch itself. */
  url: string;
  /** URL of the proxy, where it looks like an Elasticsearch. */
  asElasticsearch: string;
  stop(): Promise<void>;
}

export async function startOpenSearch(): Promise<OpenSearch> {
  const identity = serverIdentity();
  const home = await distribution(identity);
  const java = await findJava({ folder: await distributionFolder(identity) });
  const folder = await ephemeralFolder(identity);
  const [port, transport] = (await freePorts(2)) as [number, number];
  const config = join(folder, 'config');
  for (const name of ['config', 'data', 'logs', 'tmp']) {
    await mkdir(join(folder, name));
    await chmod(join(folder, name), 0o777);
  }
  await writeFile(
    join(config, 'opensearch.yml'),
    [
      'cluster.name: dyno-opensearch',
      'node.name: node-1',
      'network.host: 127.0.0.1',
      'discovery.type: single-node',
      `http.port: ${port}`,
      `transport.port: ${transport}`,
      `path.data: ${join(folder, 'data')}`,
      `path.logs: ${join(folder, 'logs')}`,
      'cluster.routing.allocation.disk.threshold_enabled: false',
      '',
    ].join('\n'),
  );
  const options = await readFile(join(home, 'config', 'jvm.options'), 'utf8');
  await writeFile(join(config, 'jvm.options'), options.replaceAll(INTO_ITS_HOME, ''));
  await writeFile(
    join(config, 'log4j2.properties'),
    'rootLogger.level = warn\nappender.console.type = Console\nappender.console.name = console\n' +
      'appender.console.layout.type = PatternLayout\nappender.console.layout.pattern = %m%n\nrootLogger.appenderRef.console.ref = console\n',
  );
  const log = join(folder, 'console.log');
  const server = await startServer({
    command: ['/bin/bash', join(home, 'bin', 'opensearch')],
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      OPENSEARCH_JAVA_HOME: java.home,
      OPENSEARCH_PATH_CONF: config,
      OPENSEARCH_TMPDIR: join(folder, 'tmp'),
      OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m -XX:TieredStopAtLevel=1',
    },
    logFile: log,
    identity,
    graceS: GRACE_S,
  });
  const url = `http://127.0.0.1:${port}`;
  const proxy = presenting(url);
  const stop = async (): Promise<void> => {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!(await answers(url))) {
      if (server.exited || performance.now() > deadline)
        throw new Error(`OpenSearch did not start: ${(await readFile(log, 'utf8')).slice(-3000)}`);
      await sleep(500);
    }
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url, asElasticsearch: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, stop };
}

const answers = async (url: string): Promise<boolean> => {
  try {
    const { statusCode, body } = await request(`${url}/_cluster/health?wait_for_status=yellow`, {
      reset: true,
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
};

/** Starts a proxy that forwards everything, except that it answers `GET /` as Elasticsearch does. */
function presenting(url: string): http.Server {
  const { hostname, port } = new URL(url);
  return http.createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: `${hostname}:${port}` };
    const own = http.request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        const product = { 'x-elastic-product': 'Elasticsearch' };
        if (incoming.url !== '/' || incoming.method !== 'GET') {
          outgoing.writeHead(answer.statusCode!, { ...answer.headers, ...product });
          answer.pipe(outgoing);
          return;
        }
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const info = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { version: object };
          const version = {
            ...info.version,
            number: PRESENTED_AS,
            distribution: undefined,
            build_flavor: 'default',
          };
          outgoing
            .writeHead(200, { 'content-type': 'application/json', ...product })
            .end(JSON.stringify({ ...info, version, tagline: 'You Know, for Search' }));
        });
      },
    );
    own.on('error', () => outgoing.destroy());
    incoming.on('error', () => own.destroy());
    incoming.pipe(own);
  });
}
