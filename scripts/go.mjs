// Finds the Go for the collector: the machine's, or a downloaded one. The static imports are modules of Node.js, like in
// scripts/bootstrap.mjs.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

/** Minimum version, as in go.mod. An older Go would silently download a newer one. */
export const MINIMUM_GO = [1, 26];

/** Returns why the `go` in the `PATH` cannot build the collector, or undefined if it can. */
export function whyNoGo(environment = process.env) {
  const { stdout, error } = spawnSync('go', ['env', 'GOVERSION'], {
    encoding: 'utf8',
    cwd: ROOT,
    env: environment,
  });
  if (error !== undefined) return 'no `go` is in the PATH';
  const [major, minor] = /go(\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? [0, 0];
  const fits = major > MINIMUM_GO[0] || (major === MINIMUM_GO[0] && minor >= MINIMUM_GO[1]);
  return fits ? undefined : `this is ${stdout.trim()}`;
}

/**
 * Resolves to an environment with a suitable `go`. Downloads 72 MB the first time if the machine has none. Rejects with a message if that
 * fails. Needs the packages.
 */
export async function goEnvironment(environment = process.env) {
  const why = whyNoGo(environment);
  if (why === undefined) return environment;
  const { importSource } = await import('./source.mjs');
  const { goToolchainFor, downloadGo } = await importSource('server/standalone/downloads/go-toolchain.ts');
  const need = `Go ${MINIMUM_GO.join('.')} or later is needed to build the collector, and ${why}`;
  const toolchain = goToolchainFor(environment);
  if (toolchain === undefined) throw new Error(`${need}: see https://go.dev/dl`);
  const home = await downloadGo(toolchain).catch((error) => {
    throw new Error(`${need}. ${error.message}`);
  });
  // With these variables, neither go.mod nor the user's settings can select a different toolchain.
  const PATH = [join(home, 'bin'), environment.PATH].filter(Boolean).join(delimiter);
  return { ...environment, PATH, GOROOT: home, GOTOOLCHAIN: 'local' };
}
