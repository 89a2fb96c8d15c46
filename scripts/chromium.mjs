// Finds the Chromium for browser tests, or installs it with the package manager if this process has the rights. Like scripts/bootstrap.mjs,
// this file imports only modules of Node.js.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names under which packages of Linux distributions install Chromium. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const APT = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
/** Commands of package managers that install Chromium without questions, in the order in which they are tried. */
const PACKAGE_MANAGERS = [
  ['apt-get', APT, ['update', '-qq'], ['install', '-yqq', '--no-install-recommends', 'chromium']],
  ['dnf', {}, ['install', '-yq', 'chromium']],
  ['zypper', {}, ['--non-interactive', '--quiet', 'install', 'chromium']],
  ['apk', {}, ['add', '--quiet', 'chromium']],
];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of a program in the `PATH` of `environment`; undefined if the program is not in the `PATH`. */
export const inPath = (program, { PATH = '' }) =>
  PATH.split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutable);

/**
 * Returns the path of Chromium: the variable `DYNO_CHROMIUM` if it is set, otherwise the path found in the `PATH`. Returns undefined if
 * Chromium is not found there.
 */
export function findChromium(environment = process.env) {
  const { DYNO_CHROMIUM } = environment;
  if (DYNO_CHROMIUM) return isExecutable(DYNO_CHROMIUM) ? DYNO_CHROMIUM : undefined;
  return NAMES.map((name) => inPath(name, environment)).find(Boolean);
}

/**
 * Returns the commands that install Chromium, each as a list of words. They begin with `sudo` unless `isRoot` is true. Returns undefined if
 * no known package manager is found.
 */
export function chromiumCommands(environment, isRoot) {
  const known = PACKAGE_MANAGERS.find(([program]) => inPath(program, environment));
  if (known === undefined) return undefined;
  const [program, { env = {} }, ...commands] = known;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const before = [...(isRoot ? [] : ['sudo']), ...(variables.length > 0 ? ['env', ...variables] : [])];
  return commands.map((words) => [...before, program, ...words]);
}

/**
 * Returns whether {@link installChromium} can run without asking for a password. This is the case if `isRoot` is true or sudo needs no
 * password.
 */
export const mayInstall = (environment, isRoot) =>
  isRoot || spawnSync('sudo', ['-n', 'true'], { env: environment, stdio: 'ignore' }).status === 0;

/** Runs the commands that install Chromium, with their output on stderr. Returns whether all succeeded. */
export const installChromium = (environment, isRoot) =>
  (chromiumCommands(environment, isRoot) ?? []).every(
    ([program, ...words]) =>
      spawnSync(program, words, { env: environment, stdio: ['ignore', process.stderr, process.stderr] })
        .status === 0,
  );
