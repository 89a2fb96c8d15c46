import os from 'node:os';
import path from 'node:path';

/** Returns the folder of all data that Dyno keeps between runs: the value of `DYNO_DATA`, or `~/.local/share/dyno`. */
export const dataFolder = (): string =>
  process.env['DYNO_DATA'] ?? path.join(os.homedir(), '.local', 'share', 'dyno');
