import { scaleOption, setOption } from '../options';
import type { Register } from '../registration';

export const validate: Register = (dyno, { context: { console }, ends }) => {
  dyno
    .command('validate <file>')
    .description('check a definition; contacts no cluster')
    .addOption(setOption())
    .addOption(scaleOption())
    .action(
      ends(async (file, options) => (await import('../../commands/plan')).validate(file, options, console)),
    );
};
