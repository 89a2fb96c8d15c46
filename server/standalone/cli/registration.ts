/** The interface between `dyno` and the files in `commands/`. */
import type { Command } from 'commander';
import type { ServeContext } from '../commands/serve';

/** An action resolves to the exit code of the process. */
type Action<A extends unknown[]> = (...args: A) => Promise<number> | number;

export interface CommandLine {
  /** Version, console and built files, which the commands pass on. */
  context: ServeContext;
  /** Script that has Rally expand a track: `server/import/rally-expand.py`, built. */
  expandScript: string;
  /** Built file of the thread that writes recorded traffic: server/traffic/record/thread.ts. */
  recordFile: string;
  /** Wraps an action. Its exit code is set after everything is closed. */
  ends<A extends unknown[]>(action: Action<A>): (...args: A) => Promise<void>;
}

/** Adds one command with its arguments, options, help text and action. The action imports the code of the command. */
export type Register = (dyno: Command, line: CommandLine) => void;
