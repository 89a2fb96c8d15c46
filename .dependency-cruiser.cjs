// Who may import whom; `npm test` checks it. ARCHITECTURE.md says why.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  // Who may import what tests have in common is a rule of its own.
  to: { path: '^(common|public|server|collector|test|scripts)/', pathNot: [allowed, '^test/support/'] },
});

const TESTS = ['\\.test\\.tsx?$', '/testing/'];
/** `names`: what lies in a folder, files and folders, in the order in which they build on each other. */
const inOrder = (folder, names) =>
  names.slice(0, -1).map((name, at) => ({
    name: `${folder}/${name}-is-below`,
    comment: `it imports none of those that follow it in the order of ${folder}`,
    severity: 'error',
    from: { path: `^${folder}/${name}(/|\\.ts$)`, pathNot: TESTS },
    to: { path: `^${folder}/(${names.slice(at + 1).join('|')})(/|\\.ts$)` },
  }));

/** Kibana and standalone stand beside each other in `folder`. */
const apart = (folder) =>
  [
    ['kibana', 'standalone'],
    ['standalone', 'kibana'],
  ].map(([one, other]) => ({
    name: `${folder}/${one}-knows-no-${other}`,
    comment: `what both need lies in ${folder === 'server' ? 'server/host' : 'the pages'}`,
    severity: 'error',
    from: { path: `^${folder}/${one}/`, pathNot: TESTS },
    to: { path: `^${folder}/${other}/` },
  }));

/** What of `server` is about the machine alone. */
const KNOWS_NOTHING = '(process-life|waiting|whole-file)\\.';

/** Each folder of server/run, in the order in which they build on each other, with the one file that others may import. */
const RUN = {
  'active-run': 'active-run',
  trial: 'trials',
  preflight: 'preflight',
  'try-it': 'try-it',
  queue: 'queue',
};

/** First what knows no experiment, then what is measured, what an experiment is, what its figures say, and what shows them. */
const COMMON = [
  'json',
  'units',
  'text',
  'near',
  'secrets',
  'problem',
  'testing',
  'random',
  'elasticsearch',
  'privileges',
  'grok',
  'replay',
  'traffic',
  'files',
  'profile',
  'measurement',
  'fields',
  'generators',
  'executors',
  'requests',
  'parameters',
  'tasks',
  'experiment',
  'saved-searches',
  'import',
  'presets',
  'analysis',
  'tuning',
  'report',
  'survey',
  'history',
  'alerting',
  'api',
  'example',
  'about',
];

/** What is started, bundled or loaded by itself. */
const ENTRIES = [
  '^server/(index|load/worker|certify/target-process|analysis/thread|traffic/(inspect|record)/thread|standalone/cli)\\.ts$',
  '^public/(index\\.ts|standalone/index\\.tsx|kibana/(app|rule-form)\\.tsx)$',
  // The presets' YAML is read when the product is built.
  '^common/presets/read\\.ts$',
  // scripts/go.mjs imports it when the collector is built.
  '^server/standalone/downloads/go-toolchain\\.ts$',
];

module.exports = {
  forbidden: [
    ...inOrder('common', COMMON),
    {
      name: 'common-has-an-order',
      comment: 'a new folder of common takes its place in COMMON',
      severity: 'error',
      from: {},
      to: { path: '^common/', pathNot: `^common/(${COMMON.join('|')})(/|(\\.test)?\\.ts$)` },
    },
    ...inOrder('common/report', ['model', 'tables', 'chart', 'render']),
    {
      name: 'tests-are-for-tests',
      comment: 'nothing that is shipped imports what is there to test it',
      severity: 'error',
      from: { path: '^(common|public|server|scripts)/', pathNot: [...TESTS, '^scripts/test\\.mjs$'] },
      to: { path: ['^test/', '/testing/', '\\.test\\.tsx?$'] },
    },
    {
      name: 'is-shipped',
      comment: 'what no entry leads to is dead, or serves tests alone and lies in a folder testing/',
      severity: 'error',
      from: { path: ENTRIES },
      to: {
        path: '^(common|public|server)/',
        pathNot: [...TESTS, ...ENTRIES, '\\.d\\.ts$'],
        reachable: false,
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('common-alone', '^common/', '^common/', 'common imports nothing of the project'),
    {
      name: 'common-is-pure',
      comment: 'no I/O: neither node: modules nor the HTTP client',
      severity: 'error',
      from: { path: '^common/', pathNot: '\\.test\\.ts$' },
      to: {
        path: ['^node:', '^(fs|path|http|net|os|worker_threads|child_process)$', 'node_modules/undici/'],
      },
    },
    only('public-needs-common', '^public/', '^(common|public)/', 'public imports common only'),
    {
      name: 'pages-know-no-host',
      comment: 'only the entries know whether this is Kibana or a page of its own',
      severity: 'error',
      from: { path: '^public/', pathNot: '^public/((standalone|kibana)/|(index|plugin)\\.tsx?$)' },
      to: { path: '^public/(standalone|kibana)/' },
    },
    ...apart('public'),
    ...apart('server'),
    {
      name: 'kibana-in-its-host-alone',
      comment: 'what Kibana brings to its plugins is there in Kibana only',
      severity: 'error',
      from: { path: '^(common|public|server)/', pathNot: '^(public|server)/kibana/' },
      to: { path: '^@kbn/' },
    },
    only(
      'load-needs-common',
      '^server/load/',
      '^(common|server/(load|traffic-file))/',
      'the load generator imports only common and the files of traffic that it replays',
    ),
    only(
      'traffic-file-needs-common',
      '^server/traffic-file/',
      `^(common/|server/(traffic-file/|load/sources/(file-head|log-entries|unpack)\\.ts$|${KNOWS_NOTHING}))`,
      'files of traffic need no cluster, and of the load only what reads compressed files and lines',
    ),
    only(
      'traffic-needs',
      '^server/traffic/',
      `^(common/|server/((traffic|traffic-file|elasticsearch|load)/|${KNOWS_NOTHING}))`,
      'the recorder, inspection and masking do not know runs or results',
    ),
    only(
      'certify-needs',
      '^server/certify/',
      `^(common/|server/(certify|load)/|server/run/trial/trials\\.ts|server/${KNOWS_NOTHING})`,
      'a certification knows the load and how a trial sums it up',
    ),
    only(
      'asking-needs-common',
      '^server/elasticsearch/',
      '^(common/|server/(elasticsearch/|waiting\\.))',
      'how a cluster is asked does not depend on who asks',
    ),
    only(
      'target-needs-common',
      '^server/target-cluster/',
      '^(common|server/(target-cluster|elasticsearch))/',
      '',
    ),
    only(
      'learn-needs',
      '^server/learn/',
      '^(common|server/(learn|load|target-cluster|elasticsearch))/',
      'a profile is learned from documents, whoever asks for it',
    ),
    {
      name: 'server/learn-is-entered-by-one-file',
      comment: 'learn.ts exports what others need',
      severity: 'error',
      from: { pathNot: ['^server/learn/', '^test/', ...TESTS] },
      to: { path: '^server/learn/', pathNot: '^server/learn/learn\\.ts$' },
    },
    {
      name: 'profiles-are-entered-by-two-files',
      comment:
        'profile.ts reads a profile, documents.ts makes its documents; learning shares the vocabulary of profiles',
      severity: 'error',
      from: { pathNot: ['^common/generators/profile/', '^server/learn/', '^test/', ...TESTS] },
      to: {
        path: '^common/generators/profile/',
        pathNot: '^common/generators/profile/(profile|documents|kept-from)\\.ts$',
      },
    },
    only(
      'results-needs-common',
      '^server/results/',
      `^(common/|server/(results/|elasticsearch/|${KNOWS_NOTHING}))`,
      '',
    ),
    only(
      'seats-needs',
      '^server/seats/',
      `^(common/|server/((seats|load|results|elasticsearch)/|${KNOWS_NOTHING}))`,
      'the seats of a run know the load that they carry and the cluster over which they speak',
    ),
    only(
      'run-needs',
      '^server/run/',
      `^(common/|server/((run|load|traffic-file|seats|target-cluster|results|elasticsearch)/|${KNOWS_NOTHING}))`,
      '',
    ),
    ...inOrder('server/run', ['active-run', 'trial', 'preflight', 'try-it', 'run', 'queue']),
    ...Object.entries(RUN).map(([folder, file]) => ({
      name: `server/run/${folder}-is-entered-by-one-file`,
      comment: `what others need of it, ${file}.ts exports`,
      severity: 'error',
      from: { pathNot: [`^server/run/${folder}/`, '^test/', ...TESTS] },
      to: { path: `^server/run/${folder}/`, pathNot: `^server/run/${folder}/${file}\\.ts$` },
    })),
    {
      name: 'runs-are-asked-of-the-queue',
      comment: 'what does not carry runs itself knows their queue and their documents',
      severity: 'error',
      // A certification measures as a trial does, of no run.
      from: { pathNot: ['^server/(run|certify)/', '^test/', ...TESTS] },
      to: { path: '^server/run/', pathNot: '^server/run/(queue|active-run)/' },
    },
    only(
      'machine-alone',
      `^server/${KNOWS_NOTHING}`,
      `^server/${KNOWS_NOTHING}`,
      'whether a process lives, and how a file is written, is known without Dyno',
    ),
    only(
      'host-needs',
      '^server/host/',
      `^(common/|server/((host|routes|analysis|tuning|run|load|traffic|traffic-file|target-cluster|results|elasticsearch)/|${KNOWS_NOTHING}))`,
      'what both hosts share knows neither of them',
    ),
    only(
      'tuning-needs',
      '^server/tuning/',
      `^(common/|server/((tuning|run|target-cluster|results|elasticsearch)/|${KNOWS_NOTHING}))`,
      '',
    ),
    only(
      'analysis-needs',
      '^server/analysis/',
      '^(common|server/(analysis|results))/',
      'it works on plain data, some of it as results store it',
    ),
    only(
      'routes-need',
      '^server/routes/',
      '^(common|server/(routes|analysis|run|results|traffic|traffic-file))/',
      '',
    ),
    {
      name: 'hosts-are-on-top',
      comment: 'nothing but the two entries imports a host',
      severity: 'error',
      from: {
        pathNot: ['^server/(kibana|standalone)/', '^server/(index|plugin)\\.ts$', '^test/', '^scripts/'],
      },
      to: { path: '^server/(kibana|standalone)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
