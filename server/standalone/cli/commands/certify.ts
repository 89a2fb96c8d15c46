import { jsonOption } from '../options';
import type { Register } from '../registration';

export const certify: Register = (dyno, { context, ends }) => {
  dyno
    .command('certify')
    .description(
      'test the load generator of this machine against targets of known behaviour, in two minutes; exit code 0 certified, 1 not certified, 4 machine too busy to test',
    )
    .addOption(jsonOption())
    .action(
      ends(async (options) => (await import('../../commands/certify')).certifyCommand(options, context)),
    );
};
