/** The commands, arguments and options of `dyno`. */
import { Command } from 'commander';
import { COMMANDS } from './list';
import type { CommandLine } from './registration';

/**
 * Creates the parser of the command line. `writeErr`: prints usage errors. The parser gets this function before its subcommands are added,
 * because subcommands inherit the function.
 */
export function program(line: CommandLine, writeErr: (text: string) => void): Command {
  const dyno = new Command('dyno')
    .description('The dynamometer for Elasticsearch')
    .version(line.context.version)
    .showHelpAfterError()
    .configureOutput({ writeErr })
    // Without this, `dyno baseline --version` would print the version of Dyno, although `baseline` has an option with this name.
    .enablePositionalOptions()
    .exitOverride();
  for (const register of COMMANDS) register(dyno, line);
  return dyno;
}
