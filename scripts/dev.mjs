// `npm run dev`: Dyno from a checkout, for who works on it. What is saved is built at once: the server starts again with it,
// and pages load again by themselves (scripts/dev-page.mjs). What follows is passed to `dyno start`. The embedded
// Elasticsearch is started once and goes on across restarts of the server.
import { spawn } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bootstrap, ROOT } from './bootstrap.mjs';
import { APP_FOLDER, appOptions, writePage } from './build-app.mjs';
import { buildMetricsTemplate } from './build-metrics-template.mjs';
import { EXAMPLE_RUN, EXPAND_SCRIPT, serverOptions } from './build.mjs';

const PAGE_SCRIPT = 'scripts/dev-page.mjs';
const COMMAND = join(ROOT, 'build', 'dyno.js');

const options = process.argv.slice(2);
const isElsewhere =
  process.env.DYNO_ELASTICSEARCH !== undefined ||
  options.some((option) => /^--elasticsearch(=|$)/.test(option));

let ending = false;

/** Starts the built command; resolves once `isReady` is true of a line on standard output, which is handed on. */
function start(args, isReady) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    // In a group of its own, lest Ctrl-C end it before what needs it.
    detached: true,
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line);
      if (isReady(line)) resolve(true);
    });
    void ended.then(() => resolve(false));
  });
  return {
    ready,
    ended,
    stop() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Pages load again when this has changed: with every build of theirs, and every start of the server. */
let changes = 0;
let pages;
const tellPages = () => {
  if (!pages) return;
  changes += 1;
  writePage(
    pages,
    (urlOf) => `<meta name="dyno-change" content="${changes}" />
    <script type="module" src="${urlOf(PAGE_SCRIPT)}"></script>`,
  );
};

let server;
let wanted = 0;
/** One start at a time, with what is built last. */
let restarting = Promise.resolve();
function restart() {
  wanted += 1;
  const mine = wanted;
  restarting = restarting.then(async () => {
    if (ending || mine !== wanted) return;
    await server?.stop();
    server = start(['start', ...options], (line) => line.startsWith('Dyno is at'));
    if (await server.ready) tellPages();
    else if (!ending) console.error('dyno: the server has ended; it starts again with the next change');
  });
  return restarting;
}

/** Calls `onBuilt` with esbuild's metafile after every build without errors. */
const told = (name, onBuilt) => ({
  name,
  setup(build) {
    build.onEnd(({ errors, metafile }) => {
      if (errors.length === 0) onBuilt(metafile);
    });
  },
});

await bootstrap();
const esbuild = await import('esbuild');
await buildMetricsTemplate();
copyFileSync(EXAMPLE_RUN, join(ROOT, 'build', 'example.dyno-runs.gz'));
copyFileSync(EXPAND_SCRIPT, join(ROOT, 'build', 'rally-expand.py'));
rmSync(APP_FOLDER, { recursive: true, force: true });

const contexts = [];
/** Builds now and with every change; resolves with the first build that has no errors. */
async function watch(options, name, onBuilt) {
  let first;
  const isBuilt = new Promise((resolve) => (first = resolve));
  const context = await esbuild.context({
    ...options,
    plugins: [
      ...options.plugins,
      told(name, (metafile) => {
        onBuilt(metafile);
        first();
      }),
    ],
  });
  contexts.push(context);
  await context.watch();
  await isBuilt;
}

/** The first start waits for the Elasticsearch. */
let isStarted = false;
await watch(
  {
    ...appOptions,
    entryPoints: { ...appOptions.entryPoints, 'dev-page': PAGE_SCRIPT },
    minify: false,
    sourcemap: true,
  },
  'pages',
  (metafile) => {
    pages = metafile;
    tellPages();
  },
);
await watch(serverOptions(), 'server', () => {
  if (isStarted) void restart();
});

const elasticsearch = isElsewhere ? undefined : start(['elasticsearch'], (line) => line.startsWith('http'));
const end = async () => {
  if (ending) process.exit(3);
  ending = true;
  await Promise.all(contexts.map((context) => context.dispose()));
  await restarting;
  await server?.stop();
  await elasticsearch?.stop();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());

if (elasticsearch && !(await elasticsearch.ready)) {
  // It has said why; another one on the same data does as well.
  console.error('dyno: going on with the Elasticsearch that runs already, if there is one');
}
if (!ending) {
  isStarted = true;
  await restart();
  console.error('dyno: watching for changes; Ctrl-C ends it');
}
