// Finds the Go compiler for the collector: the one on this machine, or a downloaded one. All static imports are modules of Node.js, as in
// scripts/bootstrap.mjs.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

/** Minimum version of Go, as in go.mod. An older Go would download a newer one without asking. */
export const MINIMUM_GO = [1, 26];

/** Returns the reason why the `go` in the `PATH` cannot build Dyno's collector; undefined if it can. */
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
 * Resolves to the environment variables for running `go` in a suitable version. If no suitable version is installed, downloads Go (72 MB)
 * once. Rejects with a message if the download fails. The npm packages must be installed.
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
  // With these variables, `go` uses this version, whatever go.mod and the user's settings say.
  const PATH = [join(home, 'bin'), environment.PATH].filter(Boolean).join(delimiter);
  return { ...environment, PATH, GOROOT: home, GOTOOLCHAIN: 'local' };
}
