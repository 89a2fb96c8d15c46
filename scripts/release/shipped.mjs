// Finds third-party code in the artifacts: npm packages in esbuild's bundles, and Go modules in dynobeat. The results of the builds are
// used instead of the installed packages, because most installed packages are needed only for building and testing.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { licenceOf } from './licence-names.mjs';

/**
 * A third-party package in an artifact: `{ type: 'npm' | 'golang', name, version, licence, integrity, texts }`. `licence`: an SPDX
 * expression. `integrity`: from the lock file, if it contains one. `texts`: the licence and notices of the package.
 */

/** Patterns of the names of files with licences and notices, in the order in which the files are listed. */
const TERMS = [
  /^(licen[cs]e|copying|unlicense)([-_.]|$)|[-_.]licen[cs]e(\.(txt|md))?$/i,
  /^(notice|copyright)([-_.]|$)/i,
];
const SOURCE = /\.([cm]?js|tsx?|go|json|map)$/;

/** Folder in which some packages store further licence texts. */
const FOLDER = 'licenses';

function termsIn(folder) {
  const names = readdirSync(folder);
  const files = TERMS.flatMap((term) => names.filter((name) => term.test(name) && !SOURCE.test(name)).sort())
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
  if (names.includes(FOLDER)) {
    const more = readdirSync(join(folder, FOLDER)).sort();
    files.push(...more.filter((name) => /\.(txt|md)$/.test(name)).map((name) => join(folder, FOLDER, name)));
  }
  return files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim());
}

/** Returns the folders of the packages in a bundle, such as `node_modules/zod`, from esbuild's metafile. */
export function packageFoldersOf({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // A path may begin with the name of an esbuild plugin and a colon, such as `undici-of-load:`.
      const folder = /(?:^|:|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  return [...folders].sort();
}

/** Returns the licence in a package.json, which may use an older format of that field. */
const licenceField = ({ license, licenses }) =>
  typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR '));

/**
 * Returns whether the licence in a package.json is the name of a licence. If it is missing or only refers to a file, the licence must be
 * recognised by its text.
 */
const isNamed = (licence) => licence !== undefined && !/^SEE LICEN[CS]E|^UNLICENSED$/i.test(licence);

export function npmPackagesOf(metafile) {
  const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return packageFoldersOf(metafile).map((folder) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const texts = termsIn(join(ROOT, folder));
    const field = licenceField(manifest);
    const licence = isNamed(field) ? field : texts.map(licenceOf).find(Boolean);
    const { integrity } = locked[folder] ?? {};
    return { type: 'npm', name: manifest.name, version: manifest.version, licence, integrity, texts };
  });
}

/** Parses the output of `go version -m` to `[{ name, version, integrity }]`. A replaced module is listed as the module that replaces it. */
export function linkedModules(output) {
  const modules = [];
  for (const line of output.split('\n')) {
    const [kind, name, version, integrity] = line.trim().split('\t');
    if (kind === 'dep') modules.push({ name, version, integrity });
    if (kind === '=>') modules[modules.length - 1] = { name, version, integrity };
  }
  return modules;
}

/**
 * Returns the version of Go with which a binary was built. `output`: output of `go version -m`. The linked standard library has the same
 * version.
 */
export const compilerOf = (output) => /: go(\d\S*)/.exec(output)?.[1];

/**
 * Returns the folder of a module in Go's module cache, relative to the cache. In its name, each capital letter is replaced by `!` and the
 * small letter.
 */
export const folderOfModule = ({ name, version }) =>
  `${name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)}@${version}`;

const go = (...args) => {
  const { stdout, stderr, status, error } = spawnSync('go', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`go ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/**
 * Returns the licences and notices of a module from Go's module cache. Empty if the module is only one folder of a repository and contains
 * no licence. Throws if the module is not in the cache.
 */
function moduleTerms(cache, module) {
  const folder = join(cache, folderOfModule(module));
  if (!existsSync(folder)) throw new Error(`${folder} is missing: it contains the licence of ${module.name}`);
  return termsIn(folder);
}

/**
 * Returns the Go modules that are linked into a binary, with their licences. The licences come from Go's module cache. Therefore, the
 * binary must have been built on this machine.
 */
export function goModulesOf(binary) {
  const output = go('version', '-m', binary);
  const cache = go('env', 'GOMODCACHE').trim();
  const modules = linkedModules(output).map((module) => {
    const texts = moduleTerms(cache, module);
    return { type: 'golang', ...module, licence: texts.map(licenceOf).find(Boolean), texts };
  });
  const texts = termsIn(go('env', 'GOROOT').trim());
  return [
    ...modules,
    { type: 'golang', name: 'std', version: compilerOf(output), licence: licenceOf(texts[0] ?? ''), texts },
  ];
}

/** Merges lists of packages without duplicates, sorted by type, name and version. Throws if the licence of a package is unknown. */
export function allOf(...lists) {
  const byName = new Map(lists.flat().map((one) => [`${one.type} ${one.name} ${one.version}`, one]));
  const without = [...byName.values()].filter(({ licence }) => licence === undefined);
  if (without.length > 0) {
    const names = without.map(({ name, version }) => `${name} ${version}`).join(', ');
    throw new Error(`the licence is unknown: ${names} (scripts/release/licence-names.mjs)`);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
