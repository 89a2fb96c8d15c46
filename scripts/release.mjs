// `npm run release`: builds all files of a release in build/release; see docs/releasing.md. The same commit, Node.js and Go always give the
// same files, whatever the date, the machine or the folder. All files have the time of the commit.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';

await bootstrap();
const { Command, Option } = await import('commander');
const { ARTIFACTS } = await import('./release/registry.mjs');
const { billOfMaterials } = await import('./release/bill-of-materials.mjs');
const { SUMS, writeSums } = await import('./release/checksums.mjs');
const { allOf } = await import('./release/shipped.mjs');
const { thirdPartyText } = await import('./release/third-party.mjs');
const { whyNoRelease } = await import('./release/version.mjs');

const OUT = join(ROOT, 'build', 'release');
const NAMES = ARTIFACTS.map(({ name }) => name);

const read = (file) => readFileSync(join(ROOT, file), 'utf8');

/**
 * Returns the date of all packed files. It is the date in the environment variable `SOURCE_DATE_EPOCH` (https://reproducible-builds.org) if
 * that is set, otherwise the date of the commit.
 */
function dateOf() {
  const given = process.env.SOURCE_DATE_EPOCH;
  const commit = () =>
    spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).stdout?.trim();
  const seconds = given ?? commit();
  if (!/^\d+$/.test(seconds ?? ''))
    fail(
      'a release takes its date from its commit, but no commit was found: set SOURCE_DATE_EPOCH to seconds since 1970',
    );
  return new Date(Number(seconds) * 1000);
}

const program = new Command('npm run release --')
  .description('Build all artifacts of a release in build/release')
  .addOption(
    new Option('--only <names>', `only these artifacts, separated by commas: ${NAMES.join(', ')}`).argParser(
      (text) => text.split(',').map((name) => name.trim()),
    ),
  )
  .option('--tag <name>', 'the tag of the release, such as v1.2.3; its section of the changelog needs a date')
  .addHelpText('after', `\n${ARTIFACTS.map(({ name, what }) => `  ${name.padEnd(10)} ${what}`).join('\n')}`)
  .parse();
const { only = NAMES, tag } = program.opts();
const unknown = only.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) fail(`unknown artifact "${unknown[0]}" (allowed: ${NAMES.join(', ')})`);

const { version, license: licence } = JSON.parse(read('package.json'));
const why = whyNoRelease({
  version,
  lockVersion: JSON.parse(read('package-lock.json')).version,
  changelog: read('CHANGELOG.md'),
  tag,
});
if (why.length > 0) fail(`no release was built.\n${why.join('\n')}`);

if (only.length === NAMES.length) rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const release = { out: OUT, version, licence, date: dateOf() };

const say = (file) => console.log(`${relative(ROOT, file)}: ${(statSync(file).size / 1e6).toFixed(2)} MB`);
const write = (name, text) => {
  writeFileSync(join(OUT, name), text);
  say(join(OUT, name));
};

try {
  const packages = [];
  for (const { name, make } of ARTIFACTS) {
    if (!only.includes(name)) continue;
    const made = await make(release);
    made.files.forEach(say);
    for (const { product, packages: own } of made.products) {
      packages.push(own);
      const bill = billOfMaterials(product, own, release.date);
      write(`${product.name}-${version}.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`);
    }
  }
  // Each artifact contains its own licences. The file with all licences is written only if all artifacts are built.
  if (only.length === NAMES.length) write('THIRD-PARTY.txt', thirdPartyText('Dyno', allOf(...packages)));
} catch (error) {
  fail(`the release is not complete: ${error.message}`);
}
writeSums(OUT);
say(join(OUT, SUMS));
