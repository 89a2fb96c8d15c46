// Builds the collector and the index template of its events. The binary is build/dynobeat-linux-<arch>. By default it is built for the
// processor of this machine, with `--all` for amd64 and arm64. The binaries are static and run on any Linux.
import { spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { buildMetricsTemplate } from './build-metrics-template.mjs';
import { goEnvironment } from './go.mjs';

export const ARCHITECTURES = ['amd64', 'arm64'];

export const binaryOf = (architecture) => join(ROOT, 'build', `dynobeat-linux-${architecture}`);

export const hostArchitecture = () => {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  if (architecture === undefined)
    throw new Error(`dynobeat is built for ${ARCHITECTURES.join(' and ')}, this machine is ${process.arch}`);
  return architecture;
};

/** Number of lines from the end of the compiler's output that are shown if the compiler fails. */
const LAST_LINES = 30;

/**
 * Builds the binaries of Dyno's collector. The first build takes 1 to 5 minutes, later ones take seconds. Go's output is written to
 * build/collector.log. Rejects with a message if the build fails.
 */
export async function buildCollector(architectures = [hostArchitecture()]) {
  const environment = await goEnvironment();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  await buildMetricsTemplate();
  for (const architecture of architectures) {
    // These flags make the build reproducible: the binary contains no paths of this machine and no state of the checkout.
    const flags = `-s -w -X dyno/collector/cmd.Version=${version}`;
    const options = ['-trimpath', '-buildvcs=false', '-ldflags', flags, '-o', binaryOf(architecture)];
    const log = join(ROOT, 'build', 'collector.log');
    const output = openSync(log, 'w');
    const child = spawn('go', ['build', ...options, '.'], {
      cwd: join(ROOT, 'collector'),
      env: { ...environment, CGO_ENABLED: '0', GOOS: 'linux', GOARCH: architecture },
      stdio: ['ignore', output, output],
    });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    }).finally(() => closeSync(output));
    if (code !== 0) {
      const said = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
      throw new Error(`go build failed for linux/${architecture}, see ${log}:\n${said}`);
    }
  }
  // The systemd unit is copied next to the binaries, because packages for other machines contain it too.
  copyFileSync(
    join(ROOT, 'collector', 'packaging', 'dynobeat.service'),
    join(ROOT, 'build', 'dynobeat.service'),
  );
  return architectures.map(binaryOf);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const unknown = process.argv.slice(2).filter((argument) => argument !== '--all');
  if (unknown.length > 0) fail(`unknown argument "${unknown[0]}" (allowed: --all)`);
  await bootstrap();
  try {
    for (const binary of await buildCollector(process.argv.includes('--all') ? ARCHITECTURES : undefined)) {
      console.log(`${binary} (${(statSync(binary).size / 1e6).toFixed(1)} MB)`);
    }
  } catch (error) {
    fail(error.message);
  }
}
