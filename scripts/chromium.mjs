// Where the Chromium is in which pages are tested, and how a machine gets one: by its package manager, where this
// process may use it. Imports only what Node.js brings, as scripts/bootstrap.mjs.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** As the packages of distributions call it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const APT = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
/** What installs it, in the order in which they are looked for; none of them asks anything. */
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

/** The file of a program in the `PATH` of `environment`, or undefined. */
export const inPath = (program, { PATH = '' }) =>
  PATH.split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutable);

/** The file that `DYNO_CHROMIUM` names, or one in the `PATH`; undefined without, or when the named one is not there. */
export function findChromium(environment = process.env) {
  const { DYNO_CHROMIUM } = environment;
  if (DYNO_CHROMIUM) return isExecutable(DYNO_CHROMIUM) ? DYNO_CHROMIUM : undefined;
  return NAMES.map((name) => inPath(name, environment)).find(Boolean);
}

/**
 * The commands that install Chromium, each a list of words; undefined where no known package manager is. `sudo` stands
 * before each unless `isRoot`.
 */
export function chromiumCommands(environment, isRoot) {
  const known = PACKAGE_MANAGERS.find(([program]) => inPath(program, environment));
  if (known === undefined) return undefined;
  const [program, { env = {} }, ...commands] = known;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const before = [...(isRoot ? [] : ['sudo']), ...(variables.length > 0 ? ['env', ...variables] : [])];
  return commands.map((words) => [...before, program, ...words]);
}

/** Whether {@link installChromium} may do its work without asking: as root, or with a sudo that needs no password. */
export const mayInstall = (environment, isRoot) =>
  isRoot || spawnSync('sudo', ['-n', 'true'], { env: environment, stdio: 'ignore' }).status === 0;

/** Runs {@link chromiumCommands}; what they say goes to stderr. Returns whether all succeeded. */
export const installChromium = (environment, isRoot) =>
  (chromiumCommands(environment, isRoot) ?? []).every(
    ([program, ...words]) =>
      spawnSync(program, words, { env: environment, stdio: ['ignore', process.stderr, process.stderr] })
        .status === 0,
  );
