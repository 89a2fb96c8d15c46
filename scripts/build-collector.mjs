// Builds the collector: build/dynobeat-linux-<arch> for this machine, or with `--all` for amd64 and arm64, and beside
// it the index template of its events. The binaries are static: they run on any Linux, whatever its C library.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, fail, ROOT } from './bootstrap.mjs';
import { buildMetricsTemplate } from './build-metrics-template.mjs';

const ARCHITECTURES = ['amd64', 'arm64'];

/** The go.mod's; an older Go would fetch it, which is not possible everywhere. */
const MINIMUM_GO = [1, 26];

export const binaryOf = (architecture) => join(ROOT, 'build', `dynobeat-linux-${architecture}`);

export const hostArchitecture = () => {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  if (architecture === undefined)
    throw new Error(`dynobeat is built for ${ARCHITECTURES.join(' and ')}, this machine is ${process.arch}`);
  return architecture;
};

/** Throws a sentence when there is no Go that can build it. */
export function checkGo() {
  const { stdout, error } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', cwd: ROOT });
  const wanted = MINIMUM_GO.join('.');
  if (error !== undefined) {
    throw new Error(
      `Go ${wanted} or later is needed to build the collector, and no \`go\` is in the PATH: see https://go.dev/dl`,
    );
  }
  const [major, minor] = /go(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? [0, 0];
  if (major < MINIMUM_GO[0] || (major === MINIMUM_GO[0] && minor < MINIMUM_GO[1])) {
    throw new Error(`Go ${wanted} or later is needed to build the collector, this is ${stdout.trim()}`);
  }
}

/** Rejects with a sentence; what the compiler says goes to stderr. Takes 1 to 5 minutes the first time, then seconds. */
export async function buildCollector(architectures = [hostArchitecture()]) {
  checkGo();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  await buildMetricsTemplate();
  for (const architecture of architectures) {
    const flags = `-s -w -X dyno/collector/cmd.Version=${version}`;
    const child = spawn('go', ['build', '-trimpath', '-ldflags', flags, '-o', binaryOf(architecture), '.'], {
      cwd: join(ROOT, 'collector'),
      env: { ...process.env, CGO_ENABLED: '0', GOOS: 'linux', GOARCH: architecture },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    if (code !== 0) throw new Error(`go build failed for linux/${architecture} (see above)`);
  }
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
