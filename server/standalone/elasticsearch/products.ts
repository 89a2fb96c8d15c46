/**
 * Facts about each engine that Dyno needs to start nodes. Ports, folders, heap, supervision and errors are not listed here, because they do
 * not depend on the engine.
 */
import { isSince, type Engine } from '../../../common/elasticsearch/engine';
import { USUAL_VERSIONS } from '../../../common/experiment/requested-cluster';
import type { Coordinates } from '../downloads/maven-artifact';
import { RECENT_JAVA, type JavaRange } from './jdk.mjs';
import { launchOfElasticsearch, launchOfOpenSearch, type Launcher } from './launcher';
import type { NodeConfiguration } from './node-folder';

export interface Product extends NodeConfiguration {
  /** Version that Dyno starts if none is requested. */
  version: string;
  /** Maven coordinates of the archive with the server. The archive contains the folder `ARTIFACT-VERSION`. */
  artifact: Omit<Coordinates, 'version'>;
  /** SHA-512 checksums of the archive by version, in hex. For other versions, the checksum is downloaded. */
  sha512: Readonly<Record<string, string>>;
  /**
   * Whether the nodes of the engine need Dyno's plugin. It provides the response to `GET /` and analysis components that the archive lacks.
   */
  needsPlugin: boolean;
  /** Returns the feature releases of Java on which a version of the engine runs. */
  javaOf(version: string): JavaRange;
  /** Returns how to start a node. The folder of the node must be prepared. */
  launch: Launcher;
}

/** OpenSearch 2 needs Java's security manager, which Java 24 removed. */
const JAVA_OF_OPENSEARCH_2: JavaRange = { oldest: 11, newest: 23 };
/**
 * Elasticsearch before 8.19 needs Java's security manager, which Java 24 removed. Dyno starts such a version only if
 * `DYNO_ELASTICSEARCH_HOME` names its folder.
 */
const JAVA_OF_OLD_ELASTICSEARCH: JavaRange = { oldest: 17, newest: 23 };

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
    needsPlugin: true,
    javaOf: (version) => (isSince(version, '8.19') ? RECENT_JAVA : JAVA_OF_OLD_ELASTICSEARCH),
    settingsFile: 'elasticsearch.yml',
    settings: { 'xpack.security.enabled': false },
    foundersSetting: 'cluster.initial_master_nodes',
    worksInHome: true,
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
      '2.19.6':
        '8adbfaa13162b8d42b388ece6b39bfb7f1a349ab9c128d4eced78ba1dd43b5a1' +
        '0850b43b8aac19fa5ab11f4d5c355ddf6f6617514d6112b0936a1903005d1d36',
    },
    needsPlugin: false,
    javaOf: (version) => (isSince(version, '3.0') ? RECENT_JAVA : JAVA_OF_OPENSEARCH_2),
    settingsFile: 'opensearch.yml',
    settings: {},
    foundersSetting: 'cluster.initial_cluster_manager_nodes',
    worksInHome: false,
    launch: launchOfOpenSearch,
  },
};
