import os from 'node:os';
import path from 'node:path';

/** Everything of Dyno's that outlives a run, in one folder: `DYNO_DATA`, or `~/.local/share/dyno`. */
export const dataFolder = (): string =>
  process.env['DYNO_DATA'] ?? path.join(os.homedir(), '.local', 'share', 'dyno');
