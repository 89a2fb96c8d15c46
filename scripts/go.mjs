// Which Go can build the collector, and whether it is there. Imports only what Node.js brings, as scripts/bootstrap.mjs.
import { spawnSync } from 'node:child_process';
import { ROOT } from './bootstrap.mjs';

/** The go.mod's; an older Go would fetch it, which is not possible everywhere. */
export const MINIMUM_GO = [1, 26];

/** Why the `go` in the `PATH` cannot build it, or undefined when it can. */
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
