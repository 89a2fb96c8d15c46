import os from 'node:os';
import path from 'node:path';

/** Returns the folder of everything that Dyno keeps between runs: `DYNO_DATA`, or `~/.local/share/dyno`. */
export const dataFolder = (): string =>
  process.env['DYNO_DATA'] ?? path.join(os.homedir(), '.local', 'share', 'dyno');
