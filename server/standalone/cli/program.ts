/** The commands, arguments and options of `dyno`. */
import { Command } from 'commander';
import { COMMANDS } from './list';
import type { CommandLine } from './registration';

/**
 * Creates the parser of the command line. `writeErr` prints usage errors. It is set before the subcommands are added, because they inherit
 * it.
 */
export function program(line: CommandLine, writeErr: (text: string) => void): Command {
  const dyno = new Command('dyno')
    .description('The dynamometer for Elasticsearch')
    .version(line.context.version)
    .showHelpAfterError()
    .configureOutput({ writeErr })
    // Otherwise, `dyno baseline --version` would print the version of Dyno.
    .enablePositionalOptions()
    .exitOverride();
  for (const register of COMMANDS) register(dyno, line);
  return dyno;
}
