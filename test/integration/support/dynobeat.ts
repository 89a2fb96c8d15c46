/** Builds and starts the real dynobeat (Dyno's collector). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
export const BINARY = path.join(
  ROOT,
  'build',
  `dynobeat-linux-${process.arch === 'x64' ? 'amd64' : process.arch}`,
);
/** Path of the index template for the events of dynobeat. */
export const METRICS_TEMPLATE = path.join(ROOT, 'build', 'metrics-template.json');

/** Timeout in ms for the first build without a cache. It is long enough for a busy machine. */
const BUILD_TIMEOUT_MS = 900_000;

export interface Dynobeat {
  log(): string;
  /** Ends dynobeat as systemd would. Resolves to the exit code. */
  stop(): Promise<number | null>;
  ended: Promise<number | null>;
}

/** Before the tests of a file, builds dynobeat unless it is built already. After the tests, kills all dynobeats that the tests started. */
export function withDynobeat(): {
  start(config: object): Dynobeat;
  /** Writes a configuration to a new folder. Returns the command-line arguments with which dynobeat uses this folder. */
  argumentsFor(config: object): string[];
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'dynobeat-'));
  const running = new Set<ChildProcess>();
  let starts = 0;

  beforeAll(() => {
    if (existsSync(BINARY) && existsSync(METRICS_TEMPLATE)) return;
    const built = spawnSync(process.execPath, ['scripts/build-collector.mjs'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`the collector could not be built:\n${built.stderr}`);
  }, BUILD_TIMEOUT_MS);
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  function argumentsFor(config: object): string[] {
    const home = path.join(folder, `start-${++starts}`);
    const file = path.join(folder, `dynobeat-${starts}.yml`);
    // JSON is valid YAML. Beats refuse a configuration that others can write to.
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    return ['-c', file, '--path.home', home];
  }

  function start(config: object): Dynobeat {
    const child = spawn(BINARY, ['-e', ...argumentsFor(config)], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const ended = new Promise<number | null>((resolve) =>
      child.once('close', (code) => {
        running.delete(child);
        resolve(code);
      }),
    );
    return {
      log: () => log,
      ended,
      stop() {
        child.kill('SIGTERM');
        return ended;
      },
    };
  }

  return { start, argumentsFor };
}
