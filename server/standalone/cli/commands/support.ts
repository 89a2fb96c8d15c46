import { TARGET_VISIBLE, withPlaces } from '../options';
import type { Register } from '../registration';

export const support: Register = (dyno, { context, ends }) => {
  withPlaces(
    dyno
      .command('support')
      .description(
        'write a support bundle (zip, no secrets): health, settings, recent logs, last runs; starts nothing',
      ),
  )
    .option(
      '--elasticsearch <url>',
      `a target that stores the results, if --results is not used; ${TARGET_VISIBLE}`,
    )
    .option('--file <file>', 'the zip; default: dyno-support-DATE.zip in this folder')
    .option('--list', 'show the health and the contents of the zip; write nothing')
    .action(ends(async (options) => (await import('../../commands/support')).support(options, context)));
};
