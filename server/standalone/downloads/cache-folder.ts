/** The folder of files that Dyno can download or build again if they are missing. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Returns the value of `DYNO_CACHE`, or `~/.cache/dyno`, as an absolute path. The folder may not exist yet. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.DYNO_CACHE ? resolve(environment.DYNO_CACHE) : join(homedir(), '.cache', 'dyno');
}
