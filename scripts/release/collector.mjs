// Packages dynobeat for each architecture as tar.gz, deb and rpm. The packages contain the systemd unit and the configuration, and create a
// user for dynobeat.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { packTar } from './tar.mjs';
import { thirdPartyText } from './third-party.mjs';

const COLLECTOR = join(ROOT, 'collector');
const PACKAGING = join(COLLECTOR, 'packaging');

/**
 * Returns the names of the deb and the rpm package. `~` replaces `-` in the version, because both package managers then treat a pre-release
 * as older than its release.
 */
export function packageNames(version, architecture) {
  const ordered = version.replace('-', '~');
  const redHat = { amd64: 'x86_64', arm64: 'aarch64' }[architecture];
  return {
    deb: `dynobeat_${ordered}_${architecture}.deb`,
    rpm: `dynobeat-${ordered}-1.${redHat}.rpm`,
  };
}

function nfpm(packager, file, variables, date) {
  const { status, error } = spawnSync(
    'go',
    [
      ...['tool', '-modfile=../scripts/release/tools/go.mod', 'nfpm', 'package'],
      ...['--config', 'packaging/nfpm.yaml', '--packager', packager, '--target', file],
    ],
    {
      cwd: COLLECTOR,
      env: { ...process.env, ...variables, SOURCE_DATE_EPOCH: String(date.getTime() / 1000) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (status !== 0) throw new Error(`nfpm built no ${packager} (${error?.message ?? 'see above'})`);
}

/**
 * Writes the packages of Dyno's collector and returns their names. `binaries`: paths of the binaries by architecture. `modules`: Go modules
 * that are linked into the binaries.
 */
export function packCollector({ out, version, date }, binaries, modules) {
  const stage = join(ROOT, 'build', 'release-stage');
  const files = [];
  for (const [architecture, binary] of Object.entries(binaries)) {
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { recursive: true });
    const staged = {
      dynobeat: binary,
      'metrics-template.json': join(ROOT, 'build', 'metrics-template.json'),
      'dynobeat.yml': join(COLLECTOR, 'dynobeat.yml'),
      'dynobeat.service': join(PACKAGING, 'dynobeat.service'),
      'README.md': join(COLLECTOR, 'README.md'),
      LICENSE: join(ROOT, 'LICENSE'),
    };
    for (const [name, from] of Object.entries(staged)) {
      copyFileSync(from, join(stage, name));
      chmodSync(join(stage, name), name === 'dynobeat' ? 0o755 : 0o644);
    }
    writeFileSync(join(stage, 'THIRD-PARTY.txt'), thirdPartyText('dynobeat', modules));

    const folder = `dynobeat-${version}-linux-${architecture}`;
    const archive = join(out, `${folder}.tar.gz`);
    packTar(archive, stage, folder, [...Object.keys(staged), 'THIRD-PARTY.txt'], date);
    files.push(archive);
    for (const [packager, name] of Object.entries(packageNames(version, architecture))) {
      const file = join(out, name);
      nfpm(packager, file, { ARCH: architecture, VERSION: version, STAGE: stage }, date);
      files.push(file);
    }
  }
  rmSync(stage, { recursive: true, force: true });
  return files;
}
