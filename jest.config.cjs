// Unit tests stand beside their file; test/integration runs against the real embedded Elasticsearch.
// A file of tests is bundled with what it imports of this project (scripts/test-bundles.mjs). `@swc/jest` turns the other ES modules
// into what Jest loads; packages that ship only ES modules pass through it too.
const swc = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };
const transform = {
  '\\.test\\.[jt]s$': ['<rootDir>/scripts/bundled-test.mjs', swc],
  '^.+\\.(t|j|mj)s$': ['@swc/jest', swc],
};
/** The same for components; Emotion's `css` as in the bundles (scripts/build-app.mjs). */
const componentSwc = {
  jsc: {
    parser: { syntax: 'typescript', tsx: true },
    target: 'es2022',
    transform: { react: { runtime: 'automatic', importSource: '@emotion/react' } },
  },
  module: { type: 'commonjs' },
};
const componentTransform = {
  '\\.test\\.(js|tsx)$': ['<rootDir>/scripts/bundled-test.mjs', componentSwc],
  '^.+\\.(t|j|mj)sx?$': ['@swc/jest', componentSwc],
};
// Nodes of tests start with a third of the work when their JVM leaves out its second compiler and the check of their classes,
// take 7% less with a collector of one thread, and 12% less when they touch their heap only as they fill it; see
// server/standalone/elasticsearch/node-folder.ts.
process.env.DYNO_TEST_JVM_OPTIONS ??=
  '-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -XX:-UseG1GC -XX:+UseSerialGC -XX:-AlwaysPreTouch';

// What the language itself brings, handed to each module as its own: Jest looks up a global name in the test's surroundings anew each
// time that it is used, which took half the time of simulations. Nothing that a test replaces (a clock, timers, `process`), and
// no name that a file of a package gives to something of its own; readable-stream does (see scripts/test-packages.mjs).
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
  transformIgnorePatterns: ['/node_modules/(?!(d3-[^/]+|internmap|ml-[^/]+|is-any-array)/)'],
  modulePathIgnorePatterns: ['<rootDir>/build/(?!test-groups/)'],
  setupFilesAfterEnv: ['<rootDir>/test/support/each-test-asserts.ts'],
  sandboxInjectedGlobals: LANGUAGE,
};

/** On the real Elasticsearch, each of Jest's workers with a cluster of its own. */
const integration = {
  ...base,
  roots: ['<rootDir>/test/integration', '<rootDir>/test/inputs'],
  globalSetup: '<rootDir>/test/integration/support/start-shared-cluster.ts',
  globalTeardown: '<rootDir>/test/integration/support/stop-shared-cluster.ts',
  setupFiles: ['<rootDir>/test/integration/support/own-cluster.ts'],
};
/** Files that hold the load generator to milliseconds: not beside clusters, which would be measured too. */
const INSTRUMENT = ['certify', 'highest-rate', 'load', 'replay', 'transactions'];

/** With what is built for tests: by the pattern of its name, its file. */
const withBuilt = (project, files) => ({
  ...project,
  moduleNameMapper: { ...project.moduleNameMapper, ...files },
});

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
      // The files of a group share one document.
      restoreMocks: true,
      transform: componentTransform,
      transformIgnorePatterns: [
        '/node_modules/(?!(d3-[^/]+|internmap|ml-[^/]+|is-any-array|uuid|@formatjs/[^/]+|intl-messageformat)/)',
      ],
      setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/public/testing/document.ts'],
      // Style sheets as text, which jsdom would weigh for each query.
      moduleNameMapper: { '\\.css$': '<rootDir>/public/testing/no-style.ts' },
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

/** Whether Jest was asked for the tests of a project, by `--selectProjects`. */
function isSelected({ displayName }) {
  const from = process.argv.indexOf('--selectProjects');
  if (from < 0) return true;
  const names = process.argv.slice(from + 1);
  const until = names.findIndex((name) => name.startsWith('-'));
  return names.slice(0, until < 0 ? undefined : until).includes(displayName);
}

/** Of the projects whose files are loaded by groups, the extension of their tests. */
const GROUPED = { unit: '.ts', components: '.tsx' };

/** With groups in place of files; see scripts/test-bundles.mjs. */
async function grouped(project, bundleGroups) {
  const ending = GROUPED[project.displayName];
  if (ending === undefined || !isSelected(project)) return project;
  const { folder, alone } = await bundleGroups(project.displayName, foldersOf(project), ending);
  return { ...project, roots: [...project.roots, folder], testMatch: [`${folder}/*.test.js`, ...alone] };
}

const foldersOf = ({ roots }) => roots.map((root) => root.replace('<rootDir>', __dirname));

module.exports = async () => {
  const { buildPresets } = await import('./scripts/presets.mjs');
  const { areGrouped, bundleGroups, bundleTests } = await import('./scripts/test-bundles.mjs');
  const { bundleTestComponents, bundleTestPackages } = await import('./scripts/test-packages.mjs');
  let { projects } = config;
  if (areGrouped()) projects = await Promise.all(projects.map((project) => grouped(project, bundleGroups)));
  else {
    const folders = projects.filter(isSelected).flatMap(foldersOf);
    await bundleTests([...new Set(folders)], process.argv);
  }
  // `dyno:presets` is built in, as in the bundles.
  const ofAll = { '^dyno:presets$': await buildPresets(), ...(await bundleTestPackages()) };
  const ofComponents = { ...ofAll, ...(await bundleTestComponents()) };
  const built = ({ displayName }) => (displayName === 'components' ? ofComponents : ofAll);
  return { ...config, projects: projects.map((project) => withBuilt(project, built(project))) };
};
