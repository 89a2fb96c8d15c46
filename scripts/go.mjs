// The Go that builds and tests the collector: the machine's, or one that is downloaded. What is imported at the top comes with
// Node.js, as in scripts/bootstrap.mjs.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

/** As in go.mod. An older Go would download a newer one by itself, without a word. */
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
 * Resolves to the environment in which `go` fits, the first time after a download of 72 MB. Rejects with a sentence if there is
 * none. Needs the packages.
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
  // Not another one that go.mod or the user's settings may ask for.
  const PATH = [join(home, 'bin'), environment.PATH].filter(Boolean).join(delimiter);
  return { ...environment, PATH, GOROOT: home, GOTOOLCHAIN: 'local' };
}
