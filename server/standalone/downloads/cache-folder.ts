/** Where Dyno keeps what it can fetch or make again. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `DYNO_CACHE`, else `~/.cache/dyno`. An absolute path; the folder may not exist yet. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.DYNO_CACHE ? resolve(environment.DYNO_CACHE) : join(homedir(), '.cache', 'dyno');
}
