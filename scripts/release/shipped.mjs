// Finds third-party code in the artifacts: npm packages that esbuild bundles, and Go modules that are linked into dynobeat. Uses the build
// results instead of the installed packages, because most of those are only for building and testing.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { licenceOf } from './licence-names.mjs';

/**
 * A shipped package: `{ type: 'npm' | 'golang', name, version, licence, integrity, texts }`. `licence`: an SPDX expression; `integrity`: from
 * the lock file, if present; `texts`: its licence and notices.
 */

/** Names of files with terms of use: licences, then notices. */
const TERMS = [
  /^(licen[cs]e|copying|unlicense)([-_.]|$)|[-_.]licen[cs]e(\.(txt|md))?$/i,
  /^(notice|copyright)([-_.]|$)/i,
];
const SOURCE = /\.([cm]?js|tsx?|go|json|map)$/;

/** Folder with further licence texts in some packages. */
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

/** Returns the folders (`node_modules/...`) of packages that are part of a bundle, from esbuild's metafile. */
export function packageFoldersOf({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // A path may begin with the name of an esbuild plugin, such as `undici-of-load:`.
      const folder = /(?:^|:|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  return [...folders].sort();
}

/** Returns the licence in a package.json, including older formats of that field. */
const licenceField = ({ license, licenses }) =>
  typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR '));

/** Returns whether a package.json contains the name of its licence. If it contains none or refers to a file, the licence text decides. */
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

/** Parses the output of `go version -m` to `[{ name, version, integrity }]`. Replaced modules are listed as their replacement. */
export function linkedModules(output) {
  const modules = [];
  for (const line of output.split('\n')) {
    const [kind, name, version, integrity] = line.trim().split('\t');
    if (kind === 'dep') modules.push({ name, version, integrity });
    if (kind === '=>') modules[modules.length - 1] = { name, version, integrity };
  }
  return modules;
}

/** Returns the Go version in the first line of `go version -m`. It is also the version of the linked standard library. */
export const compilerOf = (output) => /: go(\d\S*)/.exec(output)?.[1];

/** Returns the folder of a module below Go's module cache. A capital letter is written as `!` and the small letter. */
export const folderOfModule = ({ name, version }) =>
  `${name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)}@${version}`;

const go = (...args) => {
  const { stdout, stderr, status, error } = spawnSync('go', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`go ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** Reads the terms in the root of a module. If a module is only a part of a repository, its terms may be missing from the cache. */
function moduleTerms(cache, module) {
  const folder = join(cache, folderOfModule(module));
  if (!existsSync(folder)) throw new Error(`${folder} is missing: it contains the licence of ${module.name}`);
  return termsIn(folder);
}

/** Returns the modules of a binary that was built on this machine, whose module cache contains the licences. */
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

/** Merges lists without duplicates, sorted by name. Ends the command if the licence of a package is unknown. */
export function allOf(...lists) {
  const byName = new Map(lists.flat().map((one) => [`${one.type} ${one.name} ${one.version}`, one]));
  const without = [...byName.values()].filter(({ licence }) => licence === undefined);
  if (without.length > 0) {
    const names = without.map(({ name, version }) => `${name} ${version}`).join(', ');
    throw new Error(`the licence is unknown: ${names} (scripts/release/licence-names.mjs)`);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
