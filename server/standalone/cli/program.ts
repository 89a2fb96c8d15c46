/** The commands, arguments and options of `dyno`. */
import { Command } from 'commander';
import { COMMANDS } from './list';
import type { CommandLine } from './registration';

/** `writeErr` prints usage errors. Subcommands inherit it, so it is set before they are added. */
export function program(line: CommandLine, writeErr: (text: string) => void): Command {
  const dyno = new Command('dyno')
    .description('The dynamometer for Elasticsearch')
    .version(line.context.version)
    .showHelpAfterError()
    .configureOutput({ writeErr })
    // So that `dyno baseline --version` does not print the version of Dyno.
    .enablePositionalOptions()
    .exitOverride();
  for (const register of COMMANDS) register(dyno, line);
  return dyno;
}
