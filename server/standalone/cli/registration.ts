/** The interface between the `dyno` command and the files in `commands/`. */
import type { Command } from 'commander';
import type { ServeContext } from '../commands/serve';

/** Code of a command. Resolves to the exit code of the process. */
type Action<A extends unknown[]> = (...args: A) => Promise<number> | number;

export interface CommandLine {
  /** Version of Dyno, console, and paths of built files. Each command passes this context to its code. */
  context: ServeContext;
  /** Path of the built script that lets Rally expand a track: `server/import/rally-expand.py`. */
  expandScript: string;
  /** Path of the built file of the thread that writes recorded traffic. Its source is server/traffic/record/thread.ts. */
  recordFile: string;
  /**
   * Returns a function that executes the action, and then sets the exit code of the process. At that time, the action has closed its
   * connections and files.
   */
  ends<A extends unknown[]>(action: Action<A>): (...args: A) => Promise<void>;
}

/** Adds one command with its arguments, options, help text and action. The action loads the code of the command. */
export type Register = (dyno: Command, line: CommandLine) => void;
