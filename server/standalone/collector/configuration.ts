/**
 * Creates the configuration of a dynobeat (Dyno's collector) that runs next to an embedded cluster: which cluster it reads, its output and
 * its folders.
 */
import path from 'node:path';
import type { Engine } from '../../../common/elasticsearch/engine';
import { literal } from '../../host/targets/dynobeat-example';

/**
 * The cluster that receives the events of dynobeat. It also contains a document that names the current trial; dynobeat reads this document.
 * A `Connection` can be used as a `ResultsCluster`.
 */
export interface ResultsCluster {
  urls: readonly string[];
  headers: Readonly<Record<string, string>>;
  ca: string | undefined;
  verifyCertificates: boolean;
}

export interface CollectorPlan {
  /** URLs of the watched cluster. */
  watched: readonly string[];
  results: ResultsCluster;
  /** Engine of the results cluster. The output of dynobeat has the same name as the engine. */
  engine: Engine;
  /** Folder for all files of dynobeat. */
  folder: string;
}

/**
 * Name of the environment variable that contains the credentials of the results cluster. Credentials in a variable are neither in a file
 * nor in the process list.
 */
export const AUTHORIZATION_VARIABLE = 'DYNO_COLLECTOR_AUTHORIZATION';

const PERIOD = '1s';
/** Maximum time in s for which a shutdown waits until pending events are stored. The results cluster may be unavailable. */
export const SHUTDOWN_S = 2;
/** Interval in s at which dynobeat logs metrics about itself. It writes these log lines even if no cluster responds. */
export const LOG_PERIOD_S = 30;
/** Maximum size of a log file, in bytes. dynobeat keeps two older files. */
const LOG_BYTES = 5 * 1024 ** 2;
const OLD_LOGS = 2;

export const configurationFileOf = (folder: string): string => path.join(folder, 'dynobeat.yml');
export const logsOf = (folder: string): string => path.join(folder, 'logs');
export const dataOf = (folder: string): string => path.join(folder, 'data');

/** Adds the default port of the scheme to a URL without a port. Otherwise, Beats would use port 9200, unlike other software. */
function withPort(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const explicit = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return `${protocol}//${hostname}:${explicit}${pathname.replace(/\/+$/, '')}`;
}

const trust = ({ ca, verifyCertificates }: ResultsCluster): object => ({
  verification_mode: verifyCertificates ? 'full' : 'none',
  ...(ca === undefined ? {} : { certificate_authorities: [literal(ca)] }),
});

/** Returns the contents of dynobeat.yml, which is written as JSON, a subset of YAML. It contains no secrets. */
export function collectorConfiguration({
  watched: hosts,
  results,
  engine,
  folder: own,
}: CollectorPlan): object {
  const { urls, headers } = results;
  const [watched, folder] = [hosts.map(literal), literal(own)];
  return {
    'dynobeat.modules': [
      // The response of one node describes all nodes, so the first host is enough.
      { module: 'dyno', metricsets: ['node'], period: PERIOD, scope: 'cluster', hosts: [watched[0]] },
      { module: 'dyno', metricsets: ['host'], period: PERIOD, 'elasticsearch.hosts': watched },
    ],
    'dynobeat.shutdown_timeout': `${SHUTDOWN_S}s`,
    // The document that names the current trial is also read from this cluster.
    [`output.${engine}`]: {
      hosts: urls.map(withPort).map(literal),
      ...(headers['authorization'] === undefined
        ? {}
        : { headers: { Authorization: `\${${AUTHORIZATION_VARIABLE}}` } }),
      ...(urls.some((url) => url.startsWith('https:')) ? { ssl: trust(results) } : {}),
      backoff: { init: '1s', max: '10s' },
    },
    // With a short timeout, events are sent soon, and the events of both metricsets are still sent in one request.
    'queue.mem': { events: 4096, flush: { min_events: 512, timeout: '200ms' } },
    // dynobeat does not install the template, because Dyno does.
    'setup.template.enabled': false,
    // dynobeat may use at most one core, because it shares the machine with the watched nodes.
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
      // dynobeat counts as hung if these periodic log lines are missing.
      metrics: { enabled: true, period: `${LOG_PERIOD_S}s` },
    },
  };
}

/** Returns the complete environment of dynobeat. */
export function collectorEnvironment({ headers }: ResultsCluster): Record<string, string> {
  const authorization = headers['authorization'];
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    ...(authorization === undefined ? {} : { [AUTHORIZATION_VARIABLE]: authorization }),
  };
}
