/** dynobeat's configuration beside an embedded cluster: what it reads, where it ships to, where it keeps its own. */
import path from 'node:path';
import { literal } from '../../host/targets/dynobeat-example';

/** Where events go, and where the run tells which trial is on; a `Connection` is one. */
export interface ResultsCluster {
  urls: readonly string[];
  headers: Readonly<Record<string, string>>;
  ca: string | undefined;
  verifyCertificates: boolean;
}

export interface CollectorPlan {
  /** URLs of the cluster that it watches. */
  watched: readonly string[];
  results: ResultsCluster;
  /** For all that it writes. */
  folder: string;
}

/** Carries the credentials of the results cluster: neither a file nor the process list shows them. */
export const AUTHORIZATION_VARIABLE = 'DYNO_COLLECTOR_AUTHORIZATION';

const PERIOD = '1s';
/** What the end waits at most for events that are not stored yet, s: the results cluster may be away. */
export const SHUTDOWN_S = 2;
/** It logs something this often, s, whatever the clusters do. */
export const LOG_PERIOD_S = 30;
/** Log files of 5 MB: this one and two before it. */
const LOG_BYTES = 5 * 1024 ** 2;
const OLD_LOGS = 2;

export const configurationFileOf = (folder: string): string => path.join(folder, 'dynobeat.yml');
export const logsOf = (folder: string): string => path.join(folder, 'logs');
export const dataOf = (folder: string): string => path.join(folder, 'data');

/** Without a port, Beats take 9200 where everybody else takes the scheme's. */
function withPort(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const explicit = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return `${protocol}//${hostname}:${explicit}${pathname.replace(/\/+$/, '')}`;
}

const trust = ({ ca, verifyCertificates }: ResultsCluster): object => ({
  verification_mode: verifyCertificates ? 'full' : 'none',
  ...(ca === undefined ? {} : { certificate_authorities: [literal(ca)] }),
});

/** As dynobeat.yml has it; JSON is YAML. Nothing in it is secret. */
export function collectorConfiguration({ watched: hosts, results, folder: own }: CollectorPlan): object {
  const { urls, headers } = results;
  const [watched, folder] = [hosts.map(literal), literal(own)];
  return {
    'dynobeat.modules': [
      // All nodes by one request: the first host is enough.
      { module: 'dyno', metricsets: ['node'], period: PERIOD, scope: 'cluster', hosts: [watched[0]] },
      { module: 'dyno', metricsets: ['host'], period: PERIOD, 'elasticsearch.hosts': watched },
    ],
    'dynobeat.shutdown_timeout': `${SHUTDOWN_S}s`,
    // Where the marker is read too.
    'output.elasticsearch': {
      hosts: urls.map(withPort).map(literal),
      ...(headers['authorization'] === undefined
        ? {}
        : { headers: { Authorization: `\${${AUTHORIZATION_VARIABLE}}` } }),
      ...(urls.some((url) => url.startsWith('https:')) ? { ssl: trust(results) } : {}),
      backoff: { init: '1s', max: '10s' },
    },
    // An event is on its way at once; what the two metricsets read at the same moment goes together.
    'queue.mem': { events: 4096, flush: { min_events: 512, timeout: '200ms' } },
    // Dyno has installed it.
    'setup.template.enabled': false,
    // It must not take more than one core from what it watches.
    max_procs: 1,
    path: { home: folder, config: folder, data: dataOf(folder), logs: logsOf(folder) },
    logging: {
      level: 'info',
      to_files: true,
      files: {
        path: logsOf(folder),
        name: 'dynobeat',
        rotateeverybytes: LOG_BYTES,
        keepfiles: OLD_LOGS,
        permissions: 0o600,
      },
      // A line now and then, by which it is known not to hang.
      metrics: { enabled: true, period: `${LOG_PERIOD_S}s` },
    },
  };
}

/** All of the environment that dynobeat gets. */
export function collectorEnvironment({ headers }: ResultsCluster): Record<string, string> {
  const authorization = headers['authorization'];
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    ...(authorization === undefined ? {} : { [AUTHORIZATION_VARIABLE]: authorization }),
  };
}
