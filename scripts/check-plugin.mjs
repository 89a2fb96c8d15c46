// Verifies that a packed plugin meets Kibana's requirements: `node scripts/check-plugin.mjs ZIP...`. Prints one line for each requirement.
// The exit code is 1 if a requirement is not met. If no browser is found, the checks that need one are reported as skipped.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bootstrap, fail } from './bootstrap.mjs';
import { kibanaRefusal, OTHER_NODE } from './build-plugin.mjs';
import { checkInBrowser } from './check-plugin-page.mjs';
import { checkManifest as checkParsedManifest, DOUBLED_VERSIONS, kibanaDouble } from './kibana-double.mjs';

const LARGEST_ZIP = 15e6;
const LARGEST_ENTRY = 20_000;

/**
 * Plugins that every Kibana from 8.3 to 9.x contains. Dyno's plugin may only require these: if a required plugin is missing, Kibana
 * disables Dyno without a message.
 */
const ALWAYS_THERE = ['features', 'taskManager'];

/**
 * Patterns of code that creates functions from text, which Kibana forbids. The patterns must not match keyword lists of EUI's syntax
 * highlighting, such as `eval|new`.
 */
const FORBIDDEN = [
  ['eval', /(?<![\w$.|])eval\s*\((?!\?:)/],
  ['new Function', /\bnew\s+Function\s*\(/],
  ['Function()', /(?<![\w$.])Function\s*\(\s*["'`]/],
];

/** Reads a zip, and resolves to its files with their names, modes, dates and contents. */
async function readZip(file) {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file);
  const entries = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const chunks = [];
      if (!entry.fileName.endsWith('/')) {
        for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
      }
      entries.push({
        name: entry.fileName,
        mode: entry.externalFileAttributes >>> 16,
        content: Buffer.concat(chunks),
      });
    }
  } finally {
    zip.close();
  }
  return entries;
}

const textOf = (entries, name) => entries.find((entry) => entry.name === name)?.content.toString('utf8');

/** Checks the files in the zip. Returns pairs of a requirement and the reason why the zip does not meet it ('' if it does). */
function checkLayout(entries, size) {
  const names = entries.map(({ name }) => name);
  const wrong = (list) => list.slice(0, 5).join(', ');
  const server = ['index', 'dyno', 'worker', 'certify-target', 'analysis', 'traffic'].map(
    (name) => `server/${name}.js`,
  );
  const needed = ['kibana.json', 'package.json', ...server];
  const missing = [...needed, 'target/public/dyno.plugin.js'].filter(
    (n) => !names.includes(`kibana/dyno/${n}`),
  );
  return [
    ['at most 15 MB', size <= LARGEST_ZIP ? '' : `${(size / 1e6).toFixed(1)} MB`],
    ['everything below kibana/dyno/', wrong(names.filter((name) => !/^kibana\/dyno\/(?!.*\.\.)/.test(name)))],
    ['the files that Kibana needs', wrong(missing)],
    [
      'unix modes 0644 and 0755',
      wrong(
        entries.filter(({ mode }) => ![0o100644, 0o100755, 0o40755].includes(mode)).map(({ name }) => name),
      ),
    ],
    ['no kibana.jsonc', wrong(names.filter((name) => name.endsWith('kibana.jsonc')))],
    [
      'no compressed copies of files',
      wrong(names.filter((name) => /\.(br|gz)$/.test(name) && names.includes(name.replace(/\.\w+$/, '')))),
    ],
    [
      'sorted entries',
      names.join() === [...names].sort((a, b) => (a < b ? -1 : 1)).join() ? '' : 'they are not',
    ],
  ];
}

/** Executes an action and returns the message of its error; '' if it succeeds. */
function whyNot(action) {
  try {
    action();
    return '';
  } catch (error) {
    return error.message;
  }
}

function checkManifest(text, file) {
  let manifest;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    return [['kibana.json is strict JSON', error.message]];
  }
  const is = (condition, found) => (condition ? '' : `found ${JSON.stringify(found)}`);
  const {
    id,
    version,
    kibanaVersion,
    type,
    requiredPlugins,
    optionalPlugins,
    requiredBundles,
    server,
    ui,
    owner,
  } = manifest;
  const lists = [requiredPlugins, optionalPlugins, requiredBundles];
  return [
    ['a manifest that Kibana parses', whyNot(() => checkParsedManifest(manifest, kibanaVersion))],
    ['id in camelCase', is(/^[a-z][a-zA-Z0-9]*$/.test(id) && id === 'dyno', id)],
    ['a version', is(/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version), version)],
    [
      'kibanaVersion as x.y.z, as in the name of the zip',
      is(/^\d+\.\d+\.\d+$/.test(kibanaVersion) && file.endsWith(`_${kibanaVersion}.zip`), kibanaVersion),
    ],
    [
      'type standard, with server and ui',
      is(type === 'standard' && server === true && ui === true, { type, server, ui }),
    ],
    [
      'lists of plugins',
      is(
        lists.every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string')),
        lists,
      ),
    ],
    [
      'requires only what is always there',
      (requiredPlugins ?? []).filter((name) => !ALWAYS_THERE.includes(name)).join(', '),
    ],
    ['an owner', is(typeof owner?.name === 'string', owner)],
  ];
}

/** Returns the relative paths of the JavaScript files that the code in `text` imports. */
const importsOf = (text) =>
  [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.\/[^"'`]+\.js)["']/g)].map(([, name]) => name);

function checkBrowserFiles(entries) {
  const root = 'kibana/dyno/target/public/';
  const files = entries.filter(({ name }) => name.startsWith(root) && name.endsWith('.js'));
  const names = new Set(files.map(({ name }) => name));
  const entry = textOf(entries, `${root}dyno.plugin.js`) ?? '';
  const app = /app-[A-Z0-9]+\.js/.exec(entry)?.[0];
  const form = /rule-form-[A-Z0-9]+\.js/.exec(entry)?.[0];
  const found = (pattern) =>
    files
      .filter(({ content }) => pattern.test(content.toString('utf8')))
      .map(({ name }) => posix.basename(name))
      .join(', ');
  const lost = files.flatMap(({ name, content }) =>
    importsOf(content.toString('utf8')).filter((path) => !names.has(posix.join(posix.dirname(name), path))),
  );
  return [
    ['a browser entry under 20 KB', entry.length < LARGEST_ENTRY ? '' : `${entry.length} bytes`],
    [
      'the app is loaded by a native import',
      app && names.has(root + app) && /\bimport\(/.test(entry) ? '' : 'it is not',
    ],
    ['so is the form of its rule', form && names.has(root + form) ? '' : 'it is not'],
    ['every module is there', [...new Set(lost)].join(', ')],
    ...FORBIDDEN.map(([name, pattern]) => [`no ${name} in the browser`, found(pattern)]),
  ];
}

/**
 * JavaScript that replaces Kibana's package `@kbn/config-schema` while the plugin's server code is tested. It contains the functions that
 * plugins use, refuses unknown keys and fills in defaults. Calling any other function causes a TypeError.
 */
const CONFIG_SCHEMA = `
const made = (check, options = {}) => ({
  validate(value, path = 'config') {
    if (value === undefined && 'defaultValue' in options) return options.defaultValue;
    const found = check(value, path);
    const why = options.validate?.(found);
    if (why) throw new Error('[' + path + ']: ' + why);
    return found;
  },
});
const typed = (type) => (options) => made((value, path) => {
  if (typeof value !== type) throw new Error('[' + path + ']: expected value of type [' + type + '] but got [' + typeof value + ']');
  return value;
}, options);
exports.schema = {
  boolean: typed('boolean'),
  string: typed('string'),
  number: typed('number'),
  maybe: (inner) => made((value, path) => (value === undefined ? undefined : inner.validate(value, path))),
  arrayOf: (inner, options) => made((value, path) => {
    if (!Array.isArray(value)) throw new Error('[' + path + ']: expected value of type [array]');
    return value.map((one, at) => inner.validate(one, path + '.' + at));
  }, options),
  recordOf: (key, inner, options) => made((value, path) => Object.fromEntries(
    Object.entries(value).map(([name, one]) => [key.validate(name, path), inner.validate(one, path + '.' + name)]),
  ), options),
  object: (properties, options) => made((value = {}, path) => {
    const unknown = Object.keys(value).find((name) => !(name in properties));
    if (unknown) throw new Error('[' + path + '.' + unknown + ']: definition for this key is missing');
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, one.validate(value[name], path + '.' + name)]));
  }, options),
};`;

const emptyLog = { info: () => {}, warn: () => {}, error: () => {} };

function extract(entries, folder) {
  for (const { name, content } of entries) {
    if (name.endsWith('/')) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const schema = join(folder, 'node_modules', '@kbn', 'config-schema');
  mkdirSync(schema, { recursive: true });
  writeFileSync(join(schema, 'index.js'), CONFIG_SCHEMA);
}

async function attempt(work) {
  try {
    return (await work()) ?? '';
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** Checks what the plugin's server code does if Node.js is too old. It may only log a message, because an exception would end Kibana. */
function loadOnOldNode(folder) {
  const require = createRequire(join(folder, 'kibana', 'dyno', 'package.json'));
  const own = Object.getOwnPropertyDescriptor(process.versions, 'node');
  const logged = [];
  Object.defineProperty(process.versions, 'node', { ...own, value: '18.18.2' });
  try {
    const { plugin } = require('./server/index.js');
    const made = plugin({
      env: { packageInfo: { version: '8.12.2' } },
      logger: { get: () => ({ ...emptyLog, error: (text) => logged.push(text) }) },
      config: { get: () => ({}) },
    });
    made.setup({}, {});
    made.start({}, {});
  } finally {
    Object.defineProperty(process.versions, 'node', own);
  }
  const loaded = Object.keys(require.cache).some(
    (file) => file.endsWith('/dyno.js') && file.startsWith(folder),
  );
  if (loaded) return 'it loads dyno.js, whose packages throw there';
  return logged.length === 1 && logged[0].includes('18.18.2') ? '' : `it logs ${JSON.stringify(logged)}`;
}

/** Kibana's timeout for setup, start and stop, in ms. */
const LIFECYCLE_MS = 10_000;
/** Time in ms for which the plugin's background work runs after the start and before the stop. */
const SETTLING_MS = 300;

const withinTime = (what, promise) =>
  Promise.race([
    promise,
    delay(LIFECYCLE_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${what} takes longer than ${LIFECYCLE_MS / 1000} s`);
    }),
  ]);

/**
 * Calls `setup`, `start` and `stop` of the plugin in a simulation of this version of Kibana. Resolves to the faults as text; '' without
 * faults.
 */
async function liveInKibana(folder, kibanaVersion) {
  const require = createRequire(join(folder, 'kibana', 'dyno', 'package.json'));
  const { plugin, config } = require('./server/index.js');
  if (typeof plugin !== 'function' || !config?.schema) return 'it exports no plugin, or no config.schema';
  const settings = config.schema.validate({});
  if (settings.enabled !== true || config.schema.validate({ enabled: false }).enabled !== false)
    return 'the setting dyno.enabled does not switch it off';
  if (whyNot(() => config.schema.validate({ unknown: 1 })) === '') return 'it accepts unknown settings';
  const kibana = kibanaDouble(kibanaVersion);
  const logged = [];
  const log = { ...emptyLog, debug() {}, error: (text) => logged.push(text), get: () => log };
  const made = plugin({
    env: { packageInfo: { version: kibanaVersion }, mode: { dev: false } },
    logger: log,
    config: { get: () => settings, legacy: { get: () => ({ path: { data: join(folder, 'data') } }) } },
    node: { roles: { ui: true, backgroundTasks: true } },
  });
  const rejections = [];
  const onRejection = (error) => rejections.push(error?.stack ?? String(error));
  process.on('unhandledRejection', onRejection);
  try {
    // `setup` must not return a promise: Kibana ends if the setup of a plugin is asynchronous.
    const after = made.setup(kibana.setup.core, kibana.setup.plugins);
    if (typeof after?.then === 'function') return 'its setup is asynchronous';
    kibana.endSetup();
    await withinTime('its start', made.start(kibana.start.core, kibana.start.plugins));
    await delay(SETTLING_MS);
    await withinTime('its stop', made.stop());
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  return [...kibana.faults(), ...rejections, ...logged].join('; ');
}

/** Time in ms for which a worker thread of the plugin is observed after its start. If it reports no error in this time, it passes. */
const WORKER_MS = 1500;
/**
 * Maximum time in ms until the target process of `dyno certify` must be ready. This process receives the requests that test the load
 * generator.
 */
const TARGET_MS = 20_000;

async function loadWorker(folder, name) {
  const worker = new Worker(join(folder, 'kibana', 'dyno', 'server', name));
  const failed = once(worker, 'error').then(([error]) => error.stack);
  const why = await Promise.race([failed, delay(WORKER_MS, '')]);
  await worker.terminate();
  return why;
}

/**
 * Checks the target process of `dyno certify`, which receives the requests that test the load generator. The process must report its port,
 * respond to a request, and end when its parent process ends.
 */
async function loadCertifyTarget(folder) {
  const target = fork(join(folder, 'kibana', 'dyno', 'server', 'certify-target.js'), [], {
    serialization: 'advanced',
    execArgv: [],
    silent: true,
  });
  const ended = once(target, 'exit');
  try {
    const [message] = await Promise.race([
      once(target, 'message'),
      ended.then(([code]) => [{ kind: `ended with ${code}` }]),
      delay(TARGET_MS, [{ kind: 'is silent' }], { ref: false }),
    ]);
    if (message.kind !== 'listens') return `it ${message.kind}`;
    const { status } = await fetch(`http://127.0.0.1:${message.port}/`, { method: 'POST', body: '{}' });
    target.disconnect();
    await ended;
    return status === 200 ? '' : `it answers ${status}`;
  } finally {
    target.kill();
  }
}

/**
 * Checks the plugin's server code in simulations of Kibana: in the version for which the zip is made, and in the other versions in {@link
 * DOUBLED_VERSIONS}.
 */
async function inKibanas(folder, kibanaVersion = '0.0.0') {
  const line = kibanaVersion.split('.').slice(0, 2).join('.');
  const versions = DOUBLED_VERSIONS.map((one) => (one === line ? kibanaVersion : `${one}.0`));
  if (!DOUBLED_VERSIONS.includes(line)) versions.push(kibanaVersion);
  const demands = [];
  for (const version of versions) {
    const why = await attempt(() => liveInKibana(folder, version));
    demands.push([`the server entry works in a double of Kibana ${version}`, why]);
  }
  return demands;
}

/**
 * Checks all requirements of a zip. `otherNode`: skips the check of Kibana's Node.js, because the user runs Kibana with another Node.js.
 */
export async function checkPlugin(file, { otherNode = false } = {}) {
  const zip = readFileSync(file);
  const entries = await readZip(file);
  const folder = mkdtempSync(join(tmpdir(), 'dyno-plugin-'));
  try {
    extract(entries, folder);
    const manifest = textOf(entries, 'kibana/dyno/kibana.json') ?? '';
    const { kibanaVersion } = /"kibanaVersion": "(?<kibanaVersion>[^"]*)"/.exec(manifest)?.groups ?? {};
    return [
      ...checkLayout(entries, zip.length),
      ...checkManifest(manifest, file),
      ...checkBrowserFiles(entries),
      ['a Kibana whose Node.js is new enough', otherNode ? '' : kibanaRefusal(kibanaVersion ?? '0.0.0')],
      [
        'the server entry refuses an old Node.js with one message',
        await attempt(() => loadOnOldNode(folder)),
      ],
      ...(await inKibanas(folder, kibanaVersion)),
      ['the worker loads', await attempt(() => loadWorker(folder, 'worker.js'))],
      ['the thread that builds reports loads', await attempt(() => loadWorker(folder, 'analysis.js'))],
      ['the thread that surveys traffic loads', await attempt(() => loadWorker(folder, 'traffic.js'))],
      ['the target of a certification answers', await attempt(() => loadCertifyTarget(folder))],
      ...((await checkInBrowser((name) => textOf(entries, name))) ?? [
        ['in a browser (skipped: no Chromium found; set DYNO_CHROMIUM)', ''],
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await bootstrap();
  const given = process.argv.slice(2);
  const otherNode = given.includes(OTHER_NODE);
  const files = given.filter((name) => name !== OTHER_NODE);
  if (files.length === 0) fail('which zip? node scripts/check-plugin.mjs build/dyno-*.zip');
  let failed = 0;
  for (const file of files) {
    console.log(file);
    for (const [demand, why] of await checkPlugin(file, { otherNode })) {
      console.log(why === '' ? `  ok    ${demand}` : `  FAIL  ${demand}: ${why}`);
      if (why !== '') failed += 1;
    }
  }
  process.exitCode = failed > 0 ? 1 : 0;
}
