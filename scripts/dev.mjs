// `npm run dev`: for working on Dyno. Every save rebuilds Dyno, restarts the server and reloads the pages (scripts/dev-page.mjs). Arguments
// are passed to `dyno start`. The embedded Elasticsearch starts only once: it keeps running when the server restarts.
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

/**
 * Starts the built command and forwards its standard output. The promise `ready` resolves to true when `isReady` returns true for a line of
 * this output, or to false when the command ends.
 */
function start(args, isReady) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    // The command gets its own process group, so that Ctrl-C does not end Elasticsearch before the server.
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

/**
 * Number of builds of the pages and starts of the server since this script was started. Open pages request this number, and reload when it
 * has increased.
 */
let changes = 0;
let pages;
const notifyPages = () => {
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
/** Promise of the last restart. Restarts are executed one after the other. Each uses the newest build. */
let restarting = Promise.resolve();
function restart() {
  wanted += 1;
  const mine = wanted;
  restarting = restarting.then(async () => {
    if (ending || mine !== wanted) return;
    await server?.stop();
    server = start(['start', ...options], (line) => line.startsWith('Dyno is at'));
    if (await server.ready) notifyPages();
    else if (!ending) console.error('dyno: the server has ended; it restarts at the next change');
  });
  return restarting;
}

/** Returns an esbuild plugin that calls `onBuilt` with esbuild's metafile after every build without errors. */
const onBuild = (name, onBuilt) => ({
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
/** Builds now, and again after every change. Resolves after the first build without errors. */
async function watch(options, name, onBuilt) {
  let first;
  const isBuilt = new Promise((resolve) => (first = resolve));
  const context = await esbuild.context({
    ...options,
    plugins: [
      ...options.plugins,
      onBuild(name, (metafile) => {
        onBuilt(metafile);
        first();
      }),
    ],
  });
  contexts.push(context);
  await context.watch();
  await isBuilt;
}

/** Whether the server has been started. Its first start waits for Elasticsearch. */
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
    notifyPages();
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
  // Elasticsearch has printed the reason. The server can also use another Elasticsearch that already runs on the same data.
  console.error('dyno: using the Elasticsearch that is already running, if there is one');
}
if (!ending) {
  isStarted = true;
  await restart();
  console.error('dyno: watching for changes; press Ctrl-C to end');
}
