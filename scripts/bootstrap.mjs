// Makes a fresh checkout runnable: the right Node.js, and the packages that package-lock.json names. Every command
// under scripts/ calls this first; when all is in place it costs a few milliseconds.
// Only what Node.js brings may be imported here: nothing else is installed yet.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** As in package.json's `engines`. */
const MINIMUM_NODE = [20, 18, 1];

/** Ends the command with a sentence for a person; exit code 3 as for everything that the world did not provide. */
export function fail(message) {
  console.error(`dyno: ${message}`);
  process.exit(3);
}

const packagesOf = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages ?? {};

/**
 * Whether node_modules holds the versions that package-lock.json wants, told by npm's own record of what it installed.
 * An install that was cut short leaves no record.
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

/** Lines of npm that are shown if it fails. */
const LAST_LINES = 30;

/** Resolves to the exit code of npm, whose output goes to the file `log`. */
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

/** Ends the command when this Node.js is too old. */
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
  // Not `npm ci`, which would delete all packages first, where one has changed. With --no-save the lock file stays as it is, and
  // what it names is checked by its integrity here too.
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  const log = join(ROOT, 'build', 'install.log');
  const code = await npm(log, 'install', '--no-save', '--no-audit', '--no-fund').catch((error) => {
    fail(`npm could not be started (${error.message}): install the npm that belongs to your Node.js`);
  });
  if (code !== 0) {
    console.error(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n'));
    fail('npm install failed (see above): is the package registry within reach, is there space on the disk?');
  }
}
