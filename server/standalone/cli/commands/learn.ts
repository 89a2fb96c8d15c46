import { Option } from 'commander';
import { KEPT_FROM } from '../../../../common/generators/profile/kept-from';
import { TARGET_VISIBLE, withPlaces } from '../options';
import { keptFrom, names, wholeNumber } from '../values';
import type { Register } from '../registration';

export const learn: Register = (dyno, { context: { console }, ends }) => {
  withPlaces(
    dyno
      .command('learn <source> [profile]')
      .description(
        'write a profile of the documents of an index or a file, without their values, and a definition that loads similar documents',
      ),
  )
    .option(
      '--elasticsearch <url>',
      `the cluster with the index; default: the embedded Elasticsearch; ${TARGET_VISIBLE}`,
    )
    .option('--to <file>', 'the profile; default: NAME.profile.json in this folder')
    .option('--documents <n>', 'most documents to read', wholeNumber, 50_000)
    .option(
      '--mapping <file>',
      'for a file: the mapping of its documents, YAML or JSON; default: the one that Elasticsearch would guess',
    )
    .addOption(
      new Option(
        '--keep-values <field,...>',
        'keep frequent values of these fields unchanged, such as status codes',
      )
        .default([])
        .argParser(names),
    )
    .option(
      '--keep-from <n>',
      '--keep-values keeps a value that at least this many documents have; 2 to 999',
      keptFrom,
      KEPT_FROM,
    )
    .option(
      '--compare',
      'compare the original with an index of as many documents that PROFILE generates; the index is deleted afterwards',
    )
    .action(
      ends(async (source, profile, options) =>
        (await import('../../commands/learn')).learnCommand(source, profile, options, console),
      ),
    );
};
