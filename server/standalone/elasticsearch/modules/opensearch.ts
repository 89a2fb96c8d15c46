/**
 * Modules that Dyno adds to OpenSearch 2.19.6. Its archive on Maven Central contains only the server and its network module. The jars of
 * the other modules are published separately. Two more files of each module are created here: its descriptor, and its permissions for
 * Java's security manager.
 */
import { ANTLR, jar, type AddedModule, type Jar } from './added-module';

const VERSION = '2.19.6';

/** Libraries for creating Java classes, which two of the script languages need. */
const ASM: readonly Jar[] = [
  jar(
    'org.ow2.asm:asm:9.7',
    'ada37fcc95884a4d2cbc64495f5f67556c847e7724e26ccfbb15cc42a476436fa54b5d4fd4d9ed340241d848999d415e1cff07045d9e97d451c16aeed4911045',
  ),
  jar(
    'org.ow2.asm:asm-commons:9.7',
    '64544d7515aa4582ebf40e9a5ec32cbcee3ef0e3e15448bd56e6adb583d4ff764a34bba866816e4415298da939b029384a6ccf887c70b5fe98ac23589e626f79',
  ),
  jar(
    'org.ow2.asm:asm-tree:9.7',
    '60c548f80af02ea8da5866104921ca818a8de846504faebac5cf016becba6b277a33bf594a7fd783443856310864b2ffc99aa11cd6f4e439c086734923ef823b',
  ),
];

interface Facts {
  name: string;
  /** Name of the module's Java class. */
  className: string;
  jars: readonly Jar[];
  /** Names of the modules whose classes this module uses. */
  extended?: readonly string[];
  /** Permissions of the module's classes, as in a Java policy file. */
  permissions?: readonly string[];
}

const moduleOf = ({ name, className, jars, extended = [], permissions = [] }: Facts): AddedModule => ({
  name,
  jars,
  files: {
    'plugin-descriptor.properties': [
      `description=${name}`,
      `version=${VERSION}`,
      `name=${name}`,
      `classname=${className}`,
      'java.version=11',
      `opensearch.version=${VERSION}`,
      `extended.plugins=${extended.join(',')}`,
      'has.native.controller=false',
      '',
    ].join('\n'),
    ...(permissions.length === 0
      ? {}
      : {
          'plugin-security.policy': `grant {\n${permissions.map((each) => `  permission ${each};\n`).join('')}};\n`,
        }),
  },
});

export const OPENSEARCH_2_19_6: readonly AddedModule[] = [
  moduleOf({
    name: 'lang-painless',
    className: 'org.opensearch.painless.PainlessPlugin',
    permissions: [
      'java.lang.RuntimePermission "createClassLoader"',
      'java.lang.RuntimePermission "getClassLoader"',
    ],
    jars: [
      jar(
        'org.opensearch.plugin:lang-painless:2.19.6',
        '609aba6aab04c7d5bb70c9ea64ee6b880947796b9ac4ee446b3f07cc3f751a466588a3963468859d7cbc4095ac04ae6c43c4ed4eb741f3e864d8a5f89ef544b0',
      ),
      jar(
        'org.opensearch.plugin:opensearch-scripting-painless-spi:2.19.6',
        'd1989ba06db561ede27fd352d24adec0ba99580d2cd5ae39ec6be17ee83c655a8f5dd681a7793c9b236c35bafe29a7d1839a1a44570de99f092d6cd310b63ba4',
      ),
      ANTLR,
      ...ASM,
      jar(
        'org.ow2.asm:asm-analysis:9.7',
        '69c2a9f73262b0fe5c1758973b5406dc0639b0e1d9a82863d5bc2d664395b737e45f50789c6f7ba3c8915d7ec79858e197032066d6b8386e35d6aed6cd95a8f2',
      ),
      jar(
        'org.ow2.asm:asm-util:9.7',
        '7056f5905a27a8a3bc2e2b9774d1c70378b2441779bdce218f45aa2a549d1f4e2b81d562f20bf9a8d5be96d33e30a8f9e15caeebade6287dde6cc082afb36089',
      ),
    ],
  }),
  moduleOf({
    name: 'lang-expression',
    className: 'org.opensearch.script.expression.ExpressionPlugin',
    permissions: [
      'java.lang.RuntimePermission "createClassLoader"',
      'org.opensearch.script.ClassPermission "java.lang.String"',
      'org.opensearch.script.ClassPermission "org.apache.lucene.expressions.Expression"',
      'org.opensearch.script.ClassPermission "org.apache.lucene.search.DoubleValues"',
      'org.opensearch.script.ClassPermission "java.lang.Math"',
      'org.opensearch.script.ClassPermission "org.apache.lucene.util.MathUtil"',
      'org.opensearch.script.ClassPermission "org.apache.lucene.util.SloppyMath"',
      'org.opensearch.script.ClassPermission "org.apache.lucene.expressions.js.ExpressionMath"',
    ],
    jars: [
      jar(
        'org.opensearch.plugin:lang-expression:2.19.6',
        '11f06c2ee7b6125fb11cc7b1dd4858f2d0b1e1bf78bf7541ec641a4378343d0620daf677564f8c17eb0e42e49a3d33793c7c005a7334e367fbaed1dc8acd62ff',
      ),
      jar(
        'org.apache.lucene:lucene-expressions:9.12.3',
        '9aacba7fc5b3944cafa3e6f0b9ade70eb5b02f4c87ea1503ce22fc5d3b1d56af831857d0bf3bb605d3b5a72300173803def8cfebd44ee6f42c98cb3a9c5847ff',
      ),
      ANTLR,
      ...ASM,
    ],
  }),
  moduleOf({
    name: 'lang-mustache',
    className: 'org.opensearch.script.mustache.MustachePlugin',
    permissions: ['java.lang.RuntimePermission "accessDeclaredMembers"'],
    jars: [
      jar(
        'org.opensearch.plugin:lang-mustache-client:2.19.6',
        'f56afa137d5e2f8059f58106bf0719c5a3258d4bce70d29de58cea9933551d6aecb989323abbd62fe6241e0c1bfe247d10b7a7533d6d42113f483b3474501d11',
      ),
      jar(
        'com.github.spullara.mustache.java:compiler:0.9.14',
        '6033185c373e7144cf919a9df6bdd90f3784485531b9a11aed4605cc1c274ffb4e3525f251c56d251822cda83373344e8330a08eca180337a129c01596acc0f0',
      ),
    ],
  }),
  moduleOf({
    name: 'analysis-common',
    className: 'org.opensearch.analysis.common.CommonAnalysisPlugin',
    extended: ['lang-painless'],
    jars: [
      jar(
        'org.opensearch.plugin:analysis-common:2.19.6',
        '83f826f36779b5e2e25a5b48d626284d3253463420aafb0bd917ec1801f8ec3f50129fc3359fa073cb45b78630c416875a7071a505dc07354da77ab92a58d96d',
      ),
    ],
  }),
  moduleOf({
    name: 'mapper-extras',
    className: 'org.opensearch.index.mapper.MapperExtrasPlugin',
    jars: [
      jar(
        'org.opensearch.plugin:mapper-extras-client:2.19.6',
        'b529257d4ed218c8cb1cfa51dceb8a106c5b7bee52366865c33c27d73da50677722d35e222f8ca1eb626aef1521d06672b0d89e8665924e18ef12d474ccc1d25',
      ),
    ],
  }),
  moduleOf({
    name: 'ingest-common',
    className: 'org.opensearch.ingest.common.IngestCommonPlugin',
    extended: ['lang-painless'],
    jars: [
      jar(
        'org.opensearch.plugin:ingest-common:2.19.6',
        'f035b7442150f83fefde4f0360fbc647718411f56ef4b623b5d31b6331ae7cc739a2f047aa26972801837038853a3ce8aa1a695beafb49e9d0169b1173bec9ba',
      ),
      jar(
        'org.opensearch:opensearch-grok:2.19.6',
        '45024cec034a2b38058dac13980e54f9d91f3015174209ec8c3cf072cc1ba22e13871de91607a4d23e435a73945f3a5d9658fb4924bfb86fd516eac386e77f67',
      ),
      jar(
        'org.opensearch:opensearch-dissect:2.19.6',
        'e2488402082ddba3ead9fd264cf3476f722f5aba4fa27d7b45e05ee9b76560838f3848a28413345114966c38160dc2faa8191fcc0f75075fb7e1ee35e799e0c3',
      ),
      jar(
        'org.jruby.joni:joni:2.2.1',
        'e4fa4dda7478d5254b80aa77014d6df05317ac55d957da9ade6c9a80968aaf49d87d58930b8ddd44333270fa38984649858655b54c3aa8463602e0da8902d53a',
      ),
      jar(
        'org.jruby.jcodings:jcodings:1.0.61',
        'de14b1e029594c61e6f50411ae2e07f9b5977b6da94e19dfcf421674ffbbf90f6d91cf920d07853ed5518a0fc61ef8102e9f632c3b6e2fce74d6d0ee2ef153ee',
      ),
    ],
  }),
  moduleOf({
    name: 'ingest-user-agent',
    className: 'org.opensearch.ingest.useragent.IngestUserAgentPlugin',
    jars: [
      jar(
        'org.opensearch.plugin:ingest-user-agent:2.19.6',
        '1c0e69010fcc04e22745d123fe8ef11d6cbe5ab1bd090f7918a6b3e79c67cbad2154f21e19cf15a0e6ac0009e37225d7ee54e2a2a427183e7da3821ca4185638',
      ),
    ],
  }),
  moduleOf({
    name: 'reindex',
    className: 'org.opensearch.index.reindex.ReindexPlugin',
    permissions: ['java.net.SocketPermission "*", "connect"', 'java.net.NetPermission "getProxySelector"'],
    jars: [
      jar(
        'org.opensearch.plugin:reindex-client:2.19.6',
        '7adc48fa4392f5ced243bb2e4acc8b9e788c69787264122fab3749cec1d2e890c7ca437fb11decef709b5d2e37f95b3d2afcf89b0dc1e25bdf1f8892089860e4',
      ),
      jar(
        'org.opensearch.client:opensearch-rest-client:2.19.6',
        'afd6ef774ca58806d9520ea42063b7bee79cded1122fa29b33dc04b378bf7baaed2416d4ab802ae862c9f28020f60adceaa1865183024a9fb4f355a210ba8338',
      ),
      jar(
        'org.opensearch:opensearch-ssl-config:2.19.6',
        '8e9801f14f767856abb117338be7ea727487465cb56f1e259672a2c13dabe5482984659837f9b661a1565ed6b033e8c74345af51092599ee5e9d83c82849e70c',
      ),
      jar(
        'org.apache.httpcomponents:httpclient:4.5.14',
        'a084ef30fb0a2a25397d8fab439fe68f67e294bf53153e2e1355b8df92886d40fe6abe35dc84f014245f7158e92641bcbd98019b4fbbd9e5a0db495b160b4ced',
      ),
      jar(
        'org.apache.httpcomponents:httpcore:4.4.16',
        '168026436a6bcf5e96c0c59606638abbdc30de4b405ae55afde70fdf2895e267a3d48bba6bdadc5a89f38e31da3d9a9dc91e1cab7ea76f5e04322cf1ec63b838',
      ),
      jar(
        'org.apache.httpcomponents:httpasyncclient:4.1.5',
        '1e33c7fdfa63f377ec4844b7744d2f8ec30dc7867136905ff5a5a6e5f94efa5b8159ba20e81f0048f48430cf63ada7411a3974a418aefa497d2b4fab3501f5ba',
      ),
      jar(
        'org.apache.httpcomponents:httpcore-nio:4.4.16',
        '197cb4f4343a02d39d61db1c19bf10757aeb2078f51c4ace77a72a250b6d03b31fa1fc51f989f43df8c2a0cf8162a36664a8a935f4bbeb860c35770a3abd1899',
      ),
      jar(
        'commons-codec:commons-codec:1.18.0',
        '4d974c2203dd6780da6e50ec1c7d8ff727f9ed55fba706fdc50b9484fc5da5e03b67bc6ad2f0d9ae74f823ecce04a40c513bbabd8bf9e91ac8fec04cd3519ffa',
      ),
      jar(
        'commons-logging:commons-logging:1.2',
        'ed00dbfabd9ae00efa26dd400983601d076fe36408b7d6520084b447e5d1fa527ce65bd6afdcb58506c3a808323d28e88f26cb99c6f5db9ff64f6525ecdfa557',
      ),
    ],
  }),
  moduleOf({
    name: 'parent-join',
    className: 'org.opensearch.join.ParentJoinPlugin',
    jars: [
      jar(
        'org.opensearch.plugin:parent-join-client:2.19.6',
        'c927dd6f81d74f4562e28bbe183bb1aab8edb9a73c17372487c13e61e014f3952a1732000d7347b98e32481f6bc5317ca86bc406f9a191159bfb4edea3481c96',
      ),
    ],
  }),
  moduleOf({
    name: 'percolator',
    className: 'org.opensearch.percolator.PercolatorPlugin',
    jars: [
      jar(
        'org.opensearch.plugin:percolator-client:2.19.6',
        '079e6fa3062dcf70fa3faee2bb527e6479d0e2988218c64112c9fd7669e42e15907602947e47a5c507b0b3a4fb8bb0e62c8a8116ad0e3eed58e3450467f958f1',
      ),
    ],
  }),
  moduleOf({
    name: 'rank-eval',
    className: 'org.opensearch.index.rankeval.RankEvalPlugin',
    jars: [
      jar(
        'org.opensearch.plugin:rank-eval-client:2.19.6',
        '834ef9f47707c6fdfc0e7569f3dbf313dd8fce0a4a2bdba27b5999bec011b2b7707456607d3166ec071b63a5f0c2a0f372f9f486ea9b66d46233d608dec72612',
      ),
    ],
  }),
  moduleOf({
    name: 'aggs-matrix-stats',
    className: 'org.opensearch.search.aggregations.matrix.MatrixAggregationPlugin',
    jars: [
      jar(
        'org.opensearch.plugin:aggs-matrix-stats-client:2.19.6',
        '03b22d3ef4feac03324bf6e306d63b85bc93f03d8633a61bd92ab5c5f50a5f2bdc890dac81559a6fd23457212b0ad90011c7ba4d23b5437177c424962baa5cc4',
      ),
    ],
  }),
  moduleOf({
    name: 'geo',
    className: 'org.opensearch.geo.GeoModulePlugin',
    jars: [
      jar(
        'org.opensearch.plugin:geo:2.19.6',
        'c74c4bd37014b7e1e815130f4108c253cbfffb8a8e524bfbe681543178e9fa2bd3f7f2c2c12e3a7e4efb16e6cf007c6c16e024e97527c4281ceb0397c9fa93f0',
      ),
    ],
  }),
  moduleOf({
    name: 'search-pipeline-common',
    className: 'org.opensearch.search.pipeline.common.SearchPipelineCommonModulePlugin',
    extended: ['lang-painless'],
    jars: [
      jar(
        'org.opensearch.plugin:search-pipeline-common:2.19.6',
        'a65be118bc7ba891dab14b74b124d796c299318e322298935a0e7fa358ff5663829be0acdcfaeb8a938f967c34abd3fea404439cf37d3edbf068f2807e946e58',
      ),
    ],
  }),
];
