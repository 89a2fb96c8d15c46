import { scaleOption } from '../options';
import type { Register } from '../registration';

export const presets: Register = (dyno, { context: { console }, ends }) => {
  dyno
    .command('presets [name]')
    .description('list the published experiments, or print one as a definition')
    .addOption(scaleOption().default('full'))
    .action(
      ends(async (name, { scale }) => (await import('../../commands/presets')).presets(name, scale, console)),
    );
};
