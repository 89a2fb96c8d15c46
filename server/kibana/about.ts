/**
 * Collects the contents of the page *About* and of the support bundle in Kibana. The results cluster is read with the rights of the current
 * user. The spool, the disks and the log are those of this Kibana process.
 */
import os from 'node:os';
import path from 'node:path';
import { ZIP_TYPE } from '../../common/api/about';
import { shownAddress } from '../../common/secrets/address';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import {
  certificationOf,
  gatherAbout,
  lookAtCluster,
  lookAtDisks,
  lookAtMachine,
  lookAtPaths,
  lookAtSchedules,
  lookAtSpool,
  ownVersions,
  runsUnderWay,
} from '../host/about/about';
import { bundleLines, commonParts, makeBundle, type BundlePart } from '../host/about/support/bundle';
import { createRedactor, passwordsIn, secretsOf, type Redactor } from '../../common/secrets/redact';
import type { AboutService, Services } from '../routes/services';
import { discoverCluster } from '../target-cluster/cluster';
import type { KibanaServices } from './kibana-services';

export interface KibanaSources {
  kibana: KibanaServices;
  /** Folder of the files that experiments may read. */
  corpora: string;
  /** Client of the results cluster with the rights of the user. */
  results: ElasticsearchClient;
  /** URLs of the results cluster. */
  urls: readonly string[];
  /** Number of documents in the spool of this process that the results cluster has not stored yet. */
  spooled: number;
  services: Pick<
    Services,
    'collector' | 'results' | 'experiments' | 'scheduleLog' | 'certification' | 'nextDue'
  >;
}

/** Returns a redactor that removes secrets of the settings and Kibana's own credentials from texts. */
function redactorOf({ config, elasticsearch, resultsConnection }: KibanaServices): Redactor {
  const { apiKey, password } = config.results;
  const { serviceAccountToken } = elasticsearch() ?? {};
  const sent = resultsConnection?.headers['authorization']?.split(' ')[1];
  const known = [apiKey, password, serviceAccountToken, sent].filter((one) => one !== undefined);
  return createRedactor([
    ...secretsOf(process.env),
    ...(config.results.hosts ?? []).flatMap(passwordsIn),
    ...known,
  ]);
}

export function createAbout({
  kibana,
  corpora,
  results,
  urls,
  spooled,
  services,
}: KibanaSources): AboutService {
  const { version, kibanaVersion, dataFolder, config } = kibana;
  const spool = path.join(dataFolder, 'spool');
  const redactor = redactorOf(kibana);

  const look = (): ReturnType<AboutService['look']> =>
    gatherAbout(
      'kibana',
      {
        versions: () => ownVersions(version, kibanaVersion),
        results: async () => ({ url: urls.join(', '), ...(await lookAtCluster(results)) }),
        embedded: () => 'none',
        spool: async () =>
          lookAtSpool(
            spool,
            await discoverCluster(results).then(
              ({ uuid }) => uuid,
              () => undefined,
            ),
            spooled,
          ),
        collector: () => services.collector(),
        runs: () => runsUnderWay(services.results),
        schedules: () => lookAtSchedules(services.experiments, services.scheduleLog, services.nextDue),
        certification: async () => certificationOf(await services.certification.status()),
        disks: () => lookAtDisks({ 'data folder': dataFolder, 'temporary files': os.tmpdir() }),
        machine: lookAtMachine,
      },
      redactor,
    );
  const paths = (): ReturnType<typeof lookAtPaths> => lookAtPaths({ data: dataFolder, spool, corpora });
  const parts: BundlePart[] = [
    ...commonParts({
      about: look,
      paths,
      configuration: () => ({
        ...config,
        results: { ...config.results, hosts: config.results.hosts?.map((host) => shownAddress(host)) },
        targets: { allowedHosts: config.targets.allowedHosts?.map((pattern) => shownAddress(pattern)) },
      }),
      reader: () => services.results,
      spoolFolder: spool,
    }),
    {
      name: 'logs/kibana.log',
      what: 'what Dyno wrote to Kibana’s log since Kibana started, the last 1,000 lines at most',
      make: () => `${kibana.logLines().join('\n')}\n`,
    },
  ];
  return {
    look,
    paths: async () => ({ paths: await paths(), bundle: bundleLines(parts) }),
    async bundle() {
      const { fileName, stream } = await makeBundle(parts, redactor, { version });
      return { contentType: ZIP_TYPE, fileName, stream };
    },
  };
}
