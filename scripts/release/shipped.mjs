// What is shipped that others wrote: the packages of npm that esbuild puts into bundles, and the modules of Go that are linked
// into dynobeat. Told by what was built, not by what is installed: most of that only builds and tests.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { licenceOf } from './licence-names.mjs';

/**
 * A package that is shipped: `{ type: 'npm' | 'golang', name, version, licence, integrity, texts }`. `licence`: an SPDX expression;
 * `integrity`: as its lock file has it, where it does; `texts`: its licence and notices.
 */

/** Files that say how something may be used: licences by any name, then notices. */
const TERMS = [
  /^(licen[cs]e|copying|unlicense)([-_.]|$)|[-_.]licen[cs]e(\.(txt|md))?$/i,
  /^(notice|copyright)([-_.]|$)/i,
];
const SOURCE = /\.([cm]?js|tsx?|go|json|map)$/;

/** Some point to texts in a folder beside them. */
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

/** The folders of the packages of which something is in a bundle, `node_modules/...`; `metafile`: what esbuild tells of it. */
export function packageFoldersOf({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      // A path may begin with the name of a plugin, `undici-of-load:`.
      const folder = /(?:^|:|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  return [...folders].sort();
}

/** As they are said in a package.json of old, too. */
const licenceField = ({ license, licenses }) =>
  typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR '));

/** Packages that name no licence, or point to a file instead, name it there. */
const isNamed = (licence) => licence !== undefined && !/^SEE LICEN[CS]E|^UNLICENSED$/i.test(licence);

export function npmPackagesOf(metafile) {
  const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return packageFoldersOf(metafile).map((folder) => {
    const said = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const texts = termsIn(join(ROOT, folder));
    const field = licenceField(said);
    const licence = isNamed(field) ? field : texts.map(licenceOf).find(Boolean);
    const { integrity } = locked[folder] ?? {};
    return { type: 'npm', name: said.name, version: said.version, licence, integrity, texts };
  });
}

/** What `go version -m` says of a binary: `[{ name, version, integrity }]`, replaced modules as what replaces them. */
export function linkedModules(said) {
  const modules = [];
  for (const line of said.split('\n')) {
    const [kind, name, version, integrity] = line.trim().split('\t');
    if (kind === 'dep') modules.push({ name, version, integrity });
    if (kind === '=>') modules[modules.length - 1] = { name, version, integrity };
  }
  return modules;
}

/** Go's standard library is linked too; its version is that of the compiler, the first line. */
export const compilerOf = (said) => /: go(\d\S*)/.exec(said)?.[1];

/** Where Go keeps a module, below its module cache: a capital is written as `!` and the small letter. */
export const folderOfModule = ({ name, version }) =>
  `${name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)}@${version}`;

const go = (...args) => {
  const { stdout, stderr, status, error } = spawnSync('go', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`go ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
};

/** A module's terms lie in its root; those of a part of a repository may lie above it, where the cache has nothing. */
function moduleTerms(cache, module) {
  const folder = join(cache, folderOfModule(module));
  if (!existsSync(folder))
    throw new Error(`${folder} is missing: the licence of ${module.name} stands there`);
  return termsIn(folder);
}

/** Of a binary that was built on this machine: the licences lie in its module cache. */
export function goModulesOf(binary) {
  const said = go('version', '-m', binary);
  const cache = go('env', 'GOMODCACHE').trim();
  const modules = linkedModules(said).map((module) => {
    const texts = moduleTerms(cache, module);
    return { type: 'golang', ...module, licence: texts.map(licenceOf).find(Boolean), texts };
  });
  const texts = termsIn(go('env', 'GOROOT').trim());
  return [
    ...modules,
    { type: 'golang', name: 'std', version: compilerOf(said), licence: licenceOf(texts[0] ?? ''), texts },
  ];
}

/** One of each, in the order of their names; ends with a sentence where one says nothing of how it may be used. */
export function allOf(...lists) {
  const byName = new Map(lists.flat().map((one) => [`${one.type} ${one.name} ${one.version}`, one]));
  const without = [...byName.values()].filter(({ licence }) => licence === undefined);
  if (without.length > 0) {
    const names = without.map(({ name, version }) => `${name} ${version}`).join(', ');
    throw new Error(
      `it is not known under which licence this may be shipped: ${names} (scripts/release/licence-names.mjs)`,
    );
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
