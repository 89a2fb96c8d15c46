/**
 * Modules that Dyno adds to the distributions from Maven Central, by engine and version. Dyno does not contain the jars of the modules. It
 * downloads them from Maven Central too. CONTRIBUTING.md describes how to add a version.
 */
import type { Engine } from '../../../../common/elasticsearch/engine';
import { ANTLR, jar, type AddedModule } from './added-module';
import { OPENSEARCH_2_19_6 } from './opensearch';
import { MACHINE_LEARNING_8_19 } from './stubs';

const KQL = jar(
  'org.elasticsearch.plugin:x-pack-kql:8.19.21',
  '07023f63496d6620edc7ff276e2d41f822378f6eb774fd540965aee52c0a2eb691fb92d386318098efdc4d0034ca0159a3bc8e8ebc3de969151d00e2ce21353d',
);

const V8_19_21: readonly AddedModule[] = [
  {
    name: 'x-pack-kql',
    jars: [KQL, ANTLR],
  },
  {
    name: 'x-pack-esql-core',
    jars: [
      jar(
        'org.elasticsearch.plugin:x-pack-esql-core:8.19.21',
        '99c0f8b9fe93c7459065e83e567f27a2c742a0a7e16627759fe31fb67c09e4c81b663ce8b7a0b96b0fdad127f5c835d04d81b5eaa3ce5ef0a111f40c92d2a11c',
      ),
      jar(
        'org.elasticsearch.plugin:x-pack-mapper-version:8.19.21',
        '15bf9daf125f448edad2672d3487a4cba9d8aa8cafcf184cc254bf584bace06a3f65a80728d71268cc92dd692d754da0d44725d4b869f4a7154f88d0aec24152',
      ),
      ANTLR,
    ],
  },
  {
    name: 'x-pack-esql',
    extended: ['x-pack-esql-core'],
    stubs: MACHINE_LEARNING_8_19,
    // The jar elasticsearch-h3 has an older version, because its release 8.19.21 is not published.
    jars: [
      jar(
        'org.elasticsearch.plugin:x-pack-esql:8.19.21',
        '04ab99e457e7e035e533218ca4c8109e8e52dfdb74ef1dce5448677fa971fd0f9a4475ed70215858f1f867525d4f2f47000eb27dafbb412badf90f812550ecb6',
      ),
      jar(
        'org.elasticsearch.plugin:x-pack-esql-compute:8.19.21',
        'd73d4e573f080595d3264c4e5d101b535fc7cd55d2a790fb77154b951af1c96497919bbc754846053e5cab803ebf5277ab0475ad0721d403bd44fc4d2ff357d0',
      ),
      jar(
        'org.elasticsearch.plugin:x-pack-esql-compute-ann:8.19.21',
        '0fca1597b360e5e49e27dd743f623deaf72299552af538513d87c386cd143dc414bd3d3851a149533fe791ff84d084b80cd91f7e11d45a08d0dd25fb5e56db9d',
      ),
      KQL,
      jar(
        'org.elasticsearch.plugin:arrow:8.19.21',
        'a5c6cc1f880a24e16d87d45746768a3d49362d48cf8951041b716f5a41349e2eda1a404af6695f37f4b6d0fd0e151737c683b9396398b1f739c958d921f284f0',
      ),
      jar(
        'org.elasticsearch:elasticsearch-dissect:8.19.21',
        'ca084fd2c629327c751d730e71faaa4839beb48bdd00f61fccb83be7d56e7974d2e6bbb2810a5c953ad70fa16f42174e83a7dd88ef9b5348e10b4ea62a3921a3',
      ),
      jar(
        'org.elasticsearch:elasticsearch-h3:8.19.4',
        '0cb9fa5bd7662939fd462fcd5e06fd6708d55c9365a29fc3d6bd9f34dd8bcb435acbef601aee959e3bb08f095b814bb097be6b8dc37137676aca219a92d20c74',
      ),
      jar(
        'org.apache.lucene:lucene-spatial3d:9.12.2',
        '8799e5d99d3c2963330da0f6e500767dd796bab533dc24dd8164a53bacc08bf629160f8ffd9bf0b211a2c5de052aa0d53430b8187afa3cfe3a48223dc9d6e10d',
      ),
      jar(
        'org.apache.arrow:arrow-vector:18.3.0',
        'f09fe6d5f605c90e5268d59982d22292d6c1c215d7c333f24d9a969b8af769184b521d4f37b6676672ee8701ce2e71af138fac578d9e327fbed3577ebfb66106',
      ),
      jar(
        'org.apache.arrow:arrow-format:18.3.0',
        '3350e1719458065a7a60004064f475276ea58c4942199144acd9448d8360d3ef874fb7dfdf75b7cc041da3afcc8935d3cd2d6f243d4fe68bcae0a3638e28f6f0',
      ),
      jar(
        'org.apache.arrow:arrow-memory-core:18.3.0',
        'b53815c8663f24629df68871139bcefa6887628e8a528d6bb4ab4148a9d5cff951701545ac7af0fc3ebd1b9381be3b9fa52d0be384a0125fc66944fb214da287',
      ),
      jar(
        'com.google.flatbuffers:flatbuffers-java:23.5.26',
        '0000daa98abc954eaede3ed75dfbf47ecb1ad2bb2a77fd7f8a85da7e8571c4bca11c45c8fcbd21fcf23a6db262fcf90ada37cac2fb5d0a552a8022a21022b2d2',
      ),
      jar(
        'com.fasterxml.jackson.core:jackson-annotations:2.18.9',
        '9e277537563103f19df34d2e23a9b42b751787b95d60db20294c24efe3d05ad161ee76811fbaeb3995ed66b46667647d7695da5f393494c954a08527aeefc7e3',
      ),
      jar(
        'com.fasterxml.jackson.core:jackson-core:2.18.9',
        '089038fd291cc259f12877bc25b6cba1c786465a3413171e82bc851c396bec7c2b73045fc25b19e814242fbfc8159cccaf7aed766cffe188b5cacbecd57f5865',
      ),
      jar(
        'com.fasterxml.jackson.core:jackson-databind:2.18.9',
        '1ce9e558e10ae7e86bd50a43ab9ea90d3ba8e7437e9d2b73eee6c648a4bf7583d532007fd03696c6e01b943e894f0956ebb5344049b011b609273f68eaf6934e',
      ),
      jar(
        'com.fasterxml.jackson.datatype:jackson-datatype-jsr310:2.18.9',
        'd1e4fadf07c80ba1eb994f7d18566226301564e22fbd1af04d81aba7045c5222011714c0533563f45d0d07489a02551717e3ba8fcf8dd54b249c1aacdfa8d51c',
      ),
      jar(
        'org.checkerframework:checker-qual:3.42.0',
        '85f66a42a079b4578256b5b6daa4b1ba5aa684614982cab2c9cd83324f2c3fcdde420de6ad51b2f439c4c809be10b376f80f5a45110a1ee6caa59e6298c0ec95',
      ),
      jar(
        'org.slf4j:slf4j-nop:2.0.17',
        '4c5992d3de8416bb44434fec90cd06776c0a891450378b97455e80d6acd7bff88ab517b989d30cad2da91d1bb7973a397fe081a3188ec8db998bc66b25f4a4e6',
      ),
    ],
  },
];

/** A version of an engine. */
export interface Release {
  engine: Engine;
  version: string;
}

const ADDED: Readonly<Record<Engine, Readonly<Record<string, readonly AddedModule[]>>>> = {
  elasticsearch: { '8.19.21': V8_19_21 },
  opensearch: { '2.19.6': OPENSEARCH_2_19_6 },
};

/** Returns the modules that Dyno adds to the distribution of a release; empty for most releases. */
export const addedModules = ({ engine, version }: Release): readonly AddedModule[] =>
  Object.hasOwn(ADDED[engine], version) ? ADDED[engine][version]! : [];

/** Returns the versions of an engine to which Dyno adds modules. */
export const completedVersions = (engine: Engine): readonly string[] => Object.keys(ADDED[engine]);

/** Returns whether the reduced Elasticsearch of `version` has ES|QL. */
export const hasEsql = (version: string): boolean =>
  addedModules({ engine: 'elasticsearch', version }).some(({ name }) => name === 'x-pack-esql');
