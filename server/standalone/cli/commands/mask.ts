import { Option } from 'commander';
import { names } from '../values';
import type { Register } from '../registration';

const RULES = ['keep', 'map'] as const;

export const mask: Register = (dyno, { context: { console }, ends }) => {
  dyno
    .command('mask <file>')
    .description(
      'write a copy of recorded traffic without its values, for others: texts become secret words, numbers and dates keep their order',
    )
    .requiredOption('--to <file>', 'the masked copy; an existing file is not overwritten')
    .option('--key-file <file>', 'file with the secret key; default: a random key, which is not stored')
    .option('--key-env <name>', 'environment variable with the secret key')
    .addOption(
      new Option('--fields <rule>', 'keep names of fields, or map them to secret names')
        .choices([...RULES])
        .default('keep'),
    )
    .addOption(
      new Option('--indices <rule>', 'keep names of indices, or map them to secret names')
        .choices([...RULES])
        .default('keep'),
    )
    .addOption(
      new Option(
        '--keep <field,...>',
        'keep the values of these fields, such as status codes; * is a wildcard',
      )
        .default([])
        .argParser(names),
    )
    .addOption(
      new Option('--drop <field,...>', 'remove these fields from documents; * is a wildcard')
        .default([])
        .argParser(names),
    )
    .option('--report <file>', 'write the report as JSON')
    .action(
      ends(async (file, options) =>
        (await import('../../commands/mask')).maskCommand(file, options, console),
      ),
    );
};
