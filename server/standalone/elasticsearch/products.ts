/** Facts that Dyno needs about each engine to start its nodes. Ports, folders, heap, supervision and errors are the same for all. */
import type { Engine } from '../../../common/elasticsearch/engine';
import { USUAL_VERSIONS } from '../../../common/experiment/requested-cluster';
import type { Coordinates } from '../downloads/maven-artifact';
import { launchOfElasticsearch, launchOfOpenSearch, type Launcher } from './launcher';
import type { NodeConfiguration } from './node-folder';

export interface Product extends NodeConfiguration {
  /** Version that Dyno starts if none is requested. */
  version: string;
  /** Server distribution on Maven Central. Its archive contains the folder `ARTIFACT-VERSION`. */
  artifact: Omit<Coordinates, 'version'>;
  /** Checksums by version. For other versions, the checksum is downloaded. */
  sha512: Readonly<Record<string, string>>;
  /** Whether the archive contains every module of the engine, so that Dyno adds nothing. */
  isWhole: boolean;
  /** Returns how to start a node whose folder is prepared. */
  launch: Launcher;
}

export const PRODUCTS: Readonly<Record<Engine, Product>> = {
  elasticsearch: {
    version: USUAL_VERSIONS.elasticsearch,
    artifact: {
      groupId: 'org.elasticsearch.distribution.integ-test-zip',
      artifactId: 'elasticsearch',
      extension: 'zip',
    },
    sha512: {
      '9.5.3':
        'ae57654932de854d755af63f2a63667621967870b79ec449407618075c13dc12' +
        '012317388e0a232071e4f2a65c9d973bb681d978fac56445a0790443df0823d1',
      '8.19.21':
        'cf6b0a93860d329937ae7f913ec5073b0c726c77639764b93fc83a304aa1dd9d' +
        '4defcfa2849948eea3b0b47c2065f994908603939fc2a4774c9c4d868c5ec1dd',
    },
    isWhole: false,
    settingsFile: 'elasticsearch.yml',
    settings: { 'xpack.security.enabled': false },
    foundersSetting: 'cluster.initial_master_nodes',
    launch: launchOfElasticsearch,
  },
  opensearch: {
    version: USUAL_VERSIONS.opensearch,
    artifact: {
      groupId: 'org.opensearch.distribution.integ-test-zip',
      artifactId: 'opensearch',
      extension: 'zip',
    },
    sha512: {
      '3.6.0':
        'b82066a97902879c47e26608848d068c09e74d2128edee2802e622867abd451d' +
        '34a366acc6519d0b40fc97acc89d61c5bb330ab8b2086cf6ffa0f9fe4b9acaa4',
    },
    isWhole: true,
    settingsFile: 'opensearch.yml',
    settings: {},
    foundersSetting: 'cluster.initial_cluster_manager_nodes',
    launch: launchOfOpenSearch,
  },
};
