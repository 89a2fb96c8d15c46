// Prepares a fresh checkout: checks the version of Node.js and installs the packages of package-lock.json. Every command under scripts/
// calls this file first, which takes a few milliseconds if everything is installed. The file imports only modules of Node.js, because no
// package may be installed yet.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Minimum version of Node.js, as in `engines` of package.json. */
const MINIMUM_NODE = [20, 18, 1];

/** Ends the command with a message and exit code 3. */
export function fail(message) {
  console.error(`dyno: ${message}`);
  process.exit(3);
}

const packagesOf = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages ?? {};

/**
 * Returns whether node_modules contains the versions in package-lock.json. npm writes node_modules/.package-lock.json at the end of an
 * installation. Therefore, this file is missing after an interrupted installation.
 */
function packagesAreInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(join(ROOT, record))) return false;
  const installed = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(
    ([path, { version, optional, devOptional, peer }]) =>
      path === '' || optional || devOptional || peer || installed[path]?.version === version,
  );
}

/** Number of lines from the end of npm's output that are shown if npm fails. */
const LAST_LINES = 30;

/** Runs npm, and writes its output to the file `log`. Resolves to npm's exit code. */
async function npm(log, ...args) {
  const output = openSync(log, 'w');
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn('npm', args, {
        cwd: ROOT,
        stdio: ['ignore', output, output],
        shell: process.platform === 'win32',
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(signal ? 1 : code));
    });
  } finally {
    closeSync(output);
  }
}

/** Ends the command with a message if the version of Node.js is too old. */
export function checkNode() {
  const found = process.versions.node.split('.').map(Number);
  const older = MINIMUM_NODE.findIndex((part, i) => found[i] !== part);
  if (older !== -1 && found[older] < MINIMUM_NODE[older]) {
    fail(
      `Node.js ${MINIMUM_NODE.join('.')} or later is needed, this is ${process.versions.node} (${process.execPath})`,
    );
  }
}

export async function bootstrap() {
  checkNode();
  if (packagesAreInstalled()) return;
  console.error('dyno: installing the packages of package-lock.json, once');
  // `npm ci` would delete all packages even if only one has changed. `npm install --no-save` keeps the others and the lock file, and also
  // verifies the integrity of packages.
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const log = join(ROOT, 'build', 'install.log');
  const code = await npm(log, 'install', '--no-save', '--no-audit', '--no-fund').catch((error) => {
    fail(`npm could not be started (${error.message}): install the npm of your Node.js`);
  });
  if (code !== 0) {
    console.error(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n'));
    fail(
      'npm install failed (see above): check the connection to the package registry and the free disk space',
    );
  }
}
