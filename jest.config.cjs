// Unit tests are beside the file that they test; test/integration runs on the real embedded Elasticsearch. `@swc/jest` compiles the
// sources, and the packages that contain only ES modules.
/** Packages of many files, which are loaded when a test first uses them: Jest loads all modules again for each file of tests. */
const LAZY = [
  '@elastic/charts',
  '@fastify/compress',
  '@stdlib/stats-base-dists-f-cdf',
  '@stdlib/stats-base-dists-normal-cdf',
  '@stdlib/stats-base-dists-t-quantile',
  'fastify',
  'hdr-histogram-js',
  'undici',
  'yaml',
];
const swc = (parser) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', ...parser },
      target: 'es2022',
      // Emotion's `css`, as in scripts/build-app.mjs.
      transform: { react: { runtime: 'automatic', importSource: '@emotion/react' } },
    },
    module: { type: 'commonjs', lazy: LAZY },
  },
];
const transform = {
  '\\.(t|j|mj)s$': swc({}),
  '\\.[tj]sx$': swc({ tsx: true }),
  '\\.md$': '<rootDir>/test/support/text-transform.mjs',
};
/** Packages, or their builds for browsers, that contain only ES modules. */
const ES_MODULES = [
  '@formatjs/[^/]+',
  'd3-[^/]+',
  'internmap',
  'intl-messageformat',
  'is-any-array',
  'ml-[^/]+',
  'uuid',
  'yaml/browser',
];

// Nodes of tests start with a third of the work when their JVM leaves out its second compiler and the check of their classes,
// take 7% less with a collector of one thread, and 12% less when they touch their heap only as they fill it; see
// server/standalone/elasticsearch/node-folder.ts.
process.env.DYNO_TEST_JVM_OPTIONS ??=
  '-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:-UseG1GC -XX:+UseSerialGC -XX:-AlwaysPreTouch';

// What the language itself brings, handed to each module as its own: Jest looks up a global name in the test's surroundings anew each
// time that it is used, which took half the time of simulations. Nothing that a test replaces (a clock, timers, `process`), and
// no name that a file of a package gives to something of its own; readable-stream does, but has a switch (test/support/node-streams.ts).
const LANGUAGE = [
  ...[
    'Array',
    'BigInt',
    'Boolean',
    'Error',
    'Infinity',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Promise',
    'Set',
  ],
  ...['String', 'Symbol', 'WeakMap', 'Float64Array', 'Int32Array', 'Uint32Array', 'Uint8Array'],
];

const base = {
  testEnvironment: 'node',
  transform,
  transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
  modulePathIgnorePatterns: ['<rootDir>/build/'],
  moduleNameMapper: {
    '^dyno:presets$': '<rootDir>/build/presets.json',
    // The package's own build of one file.
    '^(@stdlib/stats-[^/]+)$': '$1/dist/index.js',
    // Empty, because jsdom would evaluate style sheets for each query.
    '\\.css$|/locales/index\\.cjs$': '<rootDir>/public/testing/no-style.ts',
  },
  setupFiles: ['<rootDir>/test/support/node-streams.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/support/each-test-asserts.ts'],
  sandboxInjectedGlobals: LANGUAGE,
};

/** On the real Elasticsearch, each of Jest's workers with a cluster of its own. */
const integration = {
  ...base,
  roots: ['<rootDir>/test/integration', '<rootDir>/test/inputs'],
  globalSetup: '<rootDir>/test/integration/support/start-shared-cluster.ts',
  globalTeardown: '<rootDir>/test/integration/support/stop-shared-cluster.ts',
  setupFiles: [...base.setupFiles, '<rootDir>/test/integration/support/own-cluster.ts'],
};
/** Files that hold the load generator to milliseconds: not beside clusters, which would be measured too. */
const INSTRUMENT = ['certify', 'highest-rate', 'load', 'replay', 'transactions'];

const config = {
  // For all projects (Jest reads it at the top only): starting commands and clusters takes its time.
  testTimeout: 120_000,
  testSequencer: '<rootDir>/test/longest-first.mjs',
  projects: [
    {
      ...base,
      displayName: 'unit',
      roots: [
        '<rootDir>/common',
        '<rootDir>/public',
        '<rootDir>/scripts',
        '<rootDir>/server',
        '<rootDir>/test/contributing',
        '<rootDir>/test/fuzz',
        '<rootDir>/test/golden',
      ],
      testMatch: ['**/*.test.ts'],
    },
    {
      // Parts of the pages in a document without a browser: what a user sees and does, and what comes of it.
      ...base,
      displayName: 'components',
      testEnvironment: '<rootDir>/public/testing/document-environment.mjs',
      roots: ['<rootDir>/public'],
      testMatch: ['**/*.test.tsx'],
      restoreMocks: true,
      setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/public/testing/document.ts'],
      moduleNameMapper: {
        ...base.moduleNameMapper,
        // EUI's build for tests needs to fetch no icons. Its ids are all equal, which would connect a label to any field: so the ids are
        // those of the ordinary build.
        '^@elastic/eui$': '@elastic/eui/test-env',
        '/html_id_generator$': '@elastic/eui/lib/services/accessibility/html_id_generator.js',
        // Without its 300 languages of code blocks, of which no test looks at one.
        '^refractor$': 'refractor/core.js',
      },
    },
    {
      ...integration,
      displayName: 'integration',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [`/(${INSTRUMENT.join('|')})\\.test\\.ts$`],
    },
    {
      // Against servers of their own: no cluster beside them.
      ...base,
      roots: integration.roots,
      displayName: 'instrument',
      testMatch: INSTRUMENT.map((name) => `**/${name}.test.ts`),
    },
    {
      ...base,
      displayName: 'browser',
      roots: ['<rootDir>/test/browser'],
      testMatch: ['**/*.test.ts'],
    },
    {
      ...base,
      displayName: 'kibana',
      roots: ['<rootDir>/test/kibana'],
      testMatch: ['**/*.test.ts'],
    },
  ],
};

module.exports = async () => {
  const { buildPresets } = await import('./scripts/presets.mjs');
  await buildPresets();
  return config;
};
